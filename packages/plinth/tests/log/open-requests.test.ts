import { expect, test } from 'vitest'
import { runInRequest } from '#log/current-request'
import { logOpenRequests } from '#log/outage'
import { captureLog } from '../support/log'

const request = { requestId: 'r1', method: 'POST', path: '/articles' }

/** A request that hangs until `finish` is called. */
function hang() {
  let finish = () => {}
  const work = new Promise<void>((resolve) => {
    finish = resolve
  })
  const running = runInRequest(request, () => work)
  return {
    finish() {
      finish()
      return running
    },
  }
}

test('names a request that is open for more than five seconds, once', async () => {
  const lines = captureLog()
  const { finish } = hang()
  logOpenRequests(performance.now() + 4_900)
  expect(lines()).toEqual([])
  logOpenRequests(performance.now() + 5_100)
  logOpenRequests(performance.now() + 6_100)
  expect(lines()).toHaveLength(1)
  expect(lines()[0]).toMatchObject({ level: 'warn', msg: 'request still open', ...request })
  expect(lines()[0]?.milliseconds).toBeGreaterThanOrEqual(5_000)
  await finish()
})

test('names no request that has ended, also by an error', async () => {
  const lines = captureLog()
  await hang().finish()
  const failing = runInRequest(request, () => Promise.reject(new Error('failed')))
  await expect(failing).rejects.toThrow('failed')
  logOpenRequests(performance.now() + 60_000)
  expect(lines()).toEqual([])
})
