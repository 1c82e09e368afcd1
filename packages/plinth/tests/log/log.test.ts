import { DrizzleQueryError } from 'drizzle-orm/errors'
import { expect, test } from 'vitest'
import { runInRequest } from '#log/current-request'
import { createLogger } from '#log/log'

function logged(write: (log: ReturnType<typeof createLogger>) => void): string {
  let text = ''
  write(createLogger('info', { write: (line) => (text += line) }))
  return text
}

test.each([
  { password: 'hunter2' },
  { body: { currentPassword: 'hunter2', newPassword: 'hunter2' } },
  { request: { headers: { cookie: 'hunter2', Authorization: 'Bearer hunter2' } } },
  { response: { headers: { 'set-cookie': ['hunter2'] } } },
  { deep: { down: [{ sessionToken: 'hunter2' }] } },
  { none: Object.assign(Object.create(null), { token: 'hunter2' }) },
  {
    account: new (class {
      passwd = 'hunter2'
      apiKey = 'hunter2'
    })(),
  },
  { env: { DATABASE_URL: 'postgres://u:hunter2@db' } },
  { env: { AUTH_SECRET: 'hunter2' }, hash: 'hunter2', code: 'hunter2', csrfToken: 'hunter2' },
])('redacts secrets: %j', (fields) => {
  const text = logged((log) => log.info(fields, 'something'))
  expect(text).toContain('[redacted]')
  expect(text).not.toContain('hunter2')
})

test('cuts circular references', () => {
  const circle: Record<string, unknown> = { name: 'circle' }
  circle.self = circle
  const error = new Error('circular')
  error.cause = error
  expect(logged((log) => log.info({ circle, err: error }))).toContain('[circular]')
})

test('keeps other values', () => {
  const text = logged((log) =>
    log.info({ status: 200, user: { id: 'u1', at: new Date(0) } }, 'done'),
  )
  expect(JSON.parse(text)).toMatchObject({
    level: 'info',
    msg: 'done',
    status: 200,
    user: { id: 'u1', at: '1970-01-01T00:00:00.000Z' },
  })
})

test('logs a failed query with SQLSTATE and message, and without its parameters', () => {
  const cause = Object.assign(new Error('duplicate key value'), { code: '23505' })
  const error = new DrizzleQueryError('insert into users values ($1)', ['user@example.com'], cause)
  const text = logged((log) => log.error({ err: error }, 'failed'))
  expect(text).not.toContain('user@example.com')
  expect(JSON.parse(text).err).toMatchObject({
    query: 'insert into users values ($1)',
    message: 'duplicate key value',
    sqlState: '23505',
    cause: { message: 'duplicate key value', code: '23505' },
  })
})

test('logs the message of an error of the embedded database without its parameters', () => {
  const cause = Object.assign(new Error('could not extend file: No space left on device'), {
    code: '53100',
    severity: 'ERROR',
    detail: 'Key (email)=(user@example.com)',
    query: 'insert into users values ($1)',
    params: ['user@example.com'],
  })
  const error = new DrizzleQueryError('insert into users values ($1)', ['user@example.com'], cause)
  const text = logged((log) => log.error({ err: error }, 'failed'))
  expect(text).not.toContain('user@example.com')
  expect(JSON.parse(text).err).toMatchObject({
    message: 'could not extend file: No space left on device',
    sqlState: '53100',
  })
})

test('finds the SQLSTATE below another error, and takes no socket error for one', () => {
  const lost = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })
  const full = Object.assign(new Error('could not extend file'), { code: '53100' })
  const errOf = (err: Error) => JSON.parse(logged((log) => log.error({ err }))).err
  expect(errOf(new Error('not saved', { cause: full }))).toMatchObject({
    message: 'not saved',
    sqlState: '53100',
  })
  expect(errOf(new DrizzleQueryError('select 1', [], lost))).toMatchObject({ code: 'EPIPE' })
  expect(errOf(lost)).not.toHaveProperty('sqlState')
})

test('logs why each IP address of a host was unreachable', () => {
  const refused = ['::1', '127.0.0.1'].map((ip) => new Error(`connect ECONNREFUSED ${ip}:5432`))
  const error = Object.assign(new AggregateError(refused), { code: 'ECONNREFUSED' })
  const { err } = JSON.parse(logged((log) => log.error({ err: error })))
  expect(err.message).toBe('connect ECONNREFUSED ::1:5432; connect ECONNREFUSED 127.0.0.1:5432')
})

test('adds the request id to every line that is logged for a request', async () => {
  const request = { requestId: 'r1', method: 'GET', path: '/' }
  const texts = await runInRequest(request, async () => {
    await Promise.resolve()
    return logged((log) => log.warn('slow'))
  })
  expect(JSON.parse(texts)).toMatchObject({ msg: 'slow', requestId: 'r1' })
  expect(JSON.parse(logged((log) => log.warn('slow')))).not.toHaveProperty('requestId')
})
