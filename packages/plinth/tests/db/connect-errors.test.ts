import { afterEach, expect, test } from 'vitest'
import { isStartupError, parseEnv } from '#config/env'
import { openDatabase } from '#db/open'
import { freePort } from '#testing/server/server'
import { type RefusingServer, startRefusingServer } from '../support/refusing-server'

let server: RefusingServer | undefined

afterEach(() => {
  server?.close()
  server = undefined
})

/** The line with which the start ends if the database does not become available. */
async function startupLine(settings: Record<string, string>): Promise<string> {
  const env = parseEnv({ AUTH_SECRET: 'only-for-tests-'.repeat(3), ...settings })
  const error = await openDatabase(env, 0).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!isStartupError(error)) throw error ?? new Error('The database was opened.')
  expect(error.message).not.toContain('hunter2')
  expect(error.message).not.toContain('\n')
  return error.message
}

const urlOf = (port: number, query = '') =>
  `postgres://plinth:hunter2@127.0.0.1:${port}/app${query}`

test.each([
  [
    '08P01',
    'unsupported startup parameter: options',
    'the connection pooler does not accept a parameter of the URL',
    'Remove it from the URL.',
  ],
  [
    '0A000',
    "Feature not supported: RDS Proxy currently doesn't support command-line options.",
    'the connection pooler does not accept a parameter of the URL',
    'Remove it from the URL.',
  ],
  [
    '28P01',
    'password authentication failed for user "plinth"',
    'the server refused the user',
    'Correct the user name and the password.',
  ],
  [
    '28000',
    'role "plinth" does not exist',
    'the server refused the user',
    'Correct the user name and the password.',
  ],
  [
    '28000',
    'no pg_hba.conf entry for host "10.0.0.7", user "plinth", database "app", no encryption',
    'the server requires TLS',
    'Add ?sslmode=require to the URL.',
  ],
  [
    '28000',
    'no pg_hba.conf entry for host "10.0.0.7", user "plinth", database "app", SSL encryption',
    'the server does not accept this host',
    'Allow it in pg_hba.conf.',
  ],
  [
    '3D000',
    'database "app" does not exist',
    'the database does not exist',
    'Create it, or correct its name.',
  ],
  [
    '08P01',
    'no such database: app',
    'the database does not exist',
    'Create it, or correct its name.',
  ],
  [
    '42501',
    'permission denied for database "app"',
    'the user may not connect',
    'Grant it CONNECT on the database.',
  ],
  [
    '25006',
    'cannot execute this in a read-only transaction',
    'no server takes writes',
    'Set the URL of the primary, or promote a standby.',
  ],
  [
    '57P03',
    'the database system is starting up',
    'the database is unavailable',
    'Check that it runs, and check host and port.',
  ],
])('%s %s: one line with the remedy', async (code, message, problem, remedy) => {
  server = await startRefusingServer(code, message)
  expect(await startupLine({ DATABASE_URL: urlOf(server.port) })).toBe(
    `DATABASE_URL: ${problem} (${message.replace(/\.$/, '')}). ${remedy}`,
  )
})

test.each([
  ['127.0.0.1', 'require'],
  ['127.0.0.1', 'verify-full'],
  ['localhost', 'require'],
  ['localhost', 'verify-ca'],
  ['localhost', 'verify-full'],
])('a server without TLS at %s is named with sslmode=%s', async (host, mode) => {
  server = await startRefusingServer('28000', 'not reached')
  const url = urlOf(server.port, `?sslmode=${mode}`).replace('127.0.0.1', host)
  expect(await startupLine({ DATABASE_URL: url })).toMatch(
    /^DATABASE_URL: the server does not offer TLS \(.*\)\. Turn it on, or remove sslmode from the URL\.$/,
  )
})

test('an unknown host is named', async () => {
  const DATABASE_URL = 'postgres://plinth:hunter2@database.invalid/app'
  expect(await startupLine({ DATABASE_URL })).toMatch(
    /^DATABASE_URL: the host name cannot be resolved \(.*database\.invalid\)\. Correct the host\.$/,
  )
})

test('a port on which nothing listens is named', async () => {
  const port = await freePort()
  expect(await startupLine({ DATABASE_URL: urlOf(port) })).toBe(
    `DATABASE_URL: the database is unavailable (connect ECONNREFUSED 127.0.0.1:${port}). Check that it runs, and check host and port.`,
  )
})
