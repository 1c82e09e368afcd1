import { beforeAll, expect, test } from 'vitest'
import { flushRequestLog, logFailure, logRequest, requestKind } from '#http/request-log'
import { runInRequest } from '#log/current-request'
import { logDestination } from '#log/log'
import { logOutage, recordOutage } from '#log/outage'
import { captureLog } from '../support/log'

/** A failed connection as Drizzle throws it. */
const refused = Object.assign(new Error('Failed query'), {
  query: 'select 1',
  params: ['user@example.com'],
  cause: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
})
const shuttingDown = Object.assign(new Error('the database is shutting down'), { code: '57P03' })

let requestLines = ''
let isAvailable = false

beforeAll(() => {
  logDestination.set({
    write(text) {
      requestLines += text
    },
  })
})

const fail = (requestId: string | undefined, error: Error) =>
  recordOutage(error, { requestId, isAvailable: () => isAvailable })

function respond(requestId: string, status: number): void {
  requestLines = ''
  logRequest(requestKind('GET', '/', status), { requestId, start: 0, userId: undefined })
  flushRequestLog()
}

/** So long after the last failure that the outage may have ended. */
const later = () => performance.now() + 10_000

test('sums up an outage, and says when it has ended', async () => {
  isAvailable = false
  const lines = captureLog('info')
  for (const requestId of ['a', 'b', 'b', undefined]) fail(requestId, refused)
  fail('c', shuttingDown)
  expect(lines()).toEqual([])

  await logOutage('database')
  await logOutage('database')
  expect(lines()).toHaveLength(1)
  expect(lines()[0]).toMatchObject({
    level: 'error',
    msg: 'database unavailable',
    failures: 4,
    requestId: 'a',
    err: { sqlState: '57P03', message: 'the database is shutting down' },
  })

  fail('d', refused)
  await logOutage('database', later())
  expect(lines()[1]).toMatchObject({ failures: 1, requestId: 'd', err: { code: 'ECONNREFUSED' } })
  await logOutage('database', later())
  expect(lines()).toHaveLength(2)
  isAvailable = true
  await logOutage('database', later() + 10_000)
  expect(lines()[2]).toMatchObject({ msg: 'database available again', failures: 5 })
  await logOutage('database', later() + 20_000)
  expect(lines()).toHaveLength(3)
})

test('counts the responses with 503 during an outage instead of logging each', async () => {
  const lines = captureLog('info')
  respond('before', 503)
  expect(JSON.parse(requestLines)).toMatchObject({ requestId: 'before', status: 503 })
  fail('a', refused)
  for (const requestId of ['a', 'b']) {
    respond(requestId, 503)
    expect(requestLines).toBe('')
  }
  respond('c', 500)
  expect(JSON.parse(requestLines)).toMatchObject({ requestId: 'c', status: 500 })
  await logOutage('database')
  expect(lines()).toMatchObject([{ failures: 2, requestId: 'a' }])
  await logOutage('database', later())
})

test('logs each failure under its request only if it is no outage, or for debugging', async () => {
  const lines = captureLog('info')
  const failAs = (error: Error) =>
    runInRequest({ requestId: 'a', method: 'GET', path: '/' }, async () =>
      logFailure(error, 'request failed'),
    )
  await failAs(refused)
  expect(lines()).toEqual([])
  await failAs(new TypeError('not a function'))
  expect(lines()).toMatchObject([
    { level: 'error', msg: 'request failed', requestId: 'a', err: { message: 'not a function' } },
  ])
  const debugLines = captureLog('debug')
  await failAs(refused)
  expect(debugLines()).toMatchObject([
    { level: 'debug', msg: 'request failed', requestId: 'a', err: { code: 'ECONNREFUSED' } },
  ])
  expect(JSON.stringify(debugLines())).not.toContain('user@example.com')
})
