import { expect, test } from 'vitest'
import { isStartupError } from '#config/env'
import { waitForTable } from '#db/wait'
import { captureLog } from '../support/log'

const locked = () =>
  Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' })

test('tries again, and says why once', async () => {
  const lines = captureLog()
  let attempts = 0
  const result = await waitForTable('users', async () => {
    attempts += 1
    if (attempts < 3) throw locked()
    return 'done'
  })
  expect(result).toBe('done')
  expect(lines()).toMatchObject([
    { level: 'warn', msg: expect.stringMatching(/^waiting for the table users\. /) },
  ])
})

test('gives up after its time, with the reason and a remedy', async () => {
  const attempt = waitForTable('users', () => Promise.reject(locked()), 1)
  const error = await attempt.catch((thrown: unknown) => thrown)
  expect(isStartupError(error)).toBe(true)
  expect(String(error)).toMatch(
    /DATABASE_URL: another transaction holds a lock \(.*\)\. End that transaction; /,
  )
})

test('does not repeat what failed for another reason', async () => {
  let attempts = 0
  const attempt = waitForTable('users', async () => {
    attempts += 1
    throw new Error('bug')
  })
  await expect(attempt).rejects.toThrow('bug')
  expect(attempts).toBe(1)
})
