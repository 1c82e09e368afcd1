import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { parseEnv } from '#config/env'
import type { Connection } from '#db/client'
import { isDatabaseUnavailable, sqlState } from '#db/errors'
import { migrate } from '#db/migrate/migrate'
import { openDatabase } from '#db/open'
import { checkDatabase } from '#doctor/checks/database'
import { collectFacts } from '#doctor/facts'
import { modules } from '@/modules'
import { findPostgres, startPostgres } from '../../../scripts/services/programs.mjs'
import { captureLog } from '../../support/log'
import { findPgBouncer, startPgBouncer } from '../../support/services/pgbouncer.mjs'

let postgres: Awaited<ReturnType<typeof startPostgres>>
let pooler: Awaited<ReturnType<typeof startPgBouncer>>

beforeAll(async () => {
  postgres = await startPostgres(process.env.TEST_POSTGRES_BIN ?? findPostgres())
  pooler = await start({ default_pool_size: 3 })
})

afterAll(async () => {
  await pooler?.stop()
  await postgres?.stop()
})

const start = (more: Record<string, string | number>) =>
  startPgBouncer(process.env.TEST_PGBOUNCER ?? findPgBouncer(), postgres.url, more)

async function open(settings: Record<string, string>): Promise<Connection> {
  const env = parseEnv({ AUTH_SECRET: 'only-for-tests-'.repeat(3), ...settings })
  const connection = await openDatabase(env)
  onTestFinished(() => connection.close())
  return connection
}

/** The findings of the doctor about the pooler. */
async function diagnose(): Promise<string[]> {
  const source = { DATABASE_URL: pooler.url, AUTH_SECRET: 'only-for-tests-'.repeat(3) }
  const findings = await checkDatabase(collectFacts(source, undefined, process.cwd()), modules)
  return findings
    .filter(({ message }) => message.includes('pooler'))
    .map(({ level, message }) => `${level}: ${message}`)
}

const described = 'ok: DATABASE_URL is a connection pooler. Prepared statements are not used.'

const line = 'DATABASE_URL is a connection pooler: prepared statements are not used'

const countOf = (lines: Record<string, unknown>[]) => lines.filter(({ msg }) => msg === line).length

test('works behind a pooler in transaction mode, with DATABASE_URL alone', async () => {
  const lines = captureLog('info')
  const { database, background, query, queryPipelined, queryInOrder, ...connection } = await open({
    DATABASE_URL: pooler.url,
  })
  expect(countOf(lines())).toBe(1)
  await migrate(
    { database, background, query, queryPipelined, queryInOrder, ...connection },
    modules,
  )
  // More at once than the pooler has sessions, which a prepared statement would not survive.
  const work = Array.from({ length: 20 }, (_, number) => [
    query('select $1::int as number', [number]),
    queryPipelined('select $1::int as number', [number]),
    queryInOrder([{ text: 'select $1::int as number', values: [number] }]).then(([one]) => one),
    database.transaction((tx) => tx.execute(sql`select ${number}::int as number`)),
    background.execute(sql`select ${number}::int as number`),
  ])
  for (const [number, results] of work.entries()) {
    for (const result of await Promise.all(results)) {
      const { rows = result } = result as { rows?: unknown }
      expect(rows).toMatchObject([{ number }])
    }
  }
  const limits = sql`select current_setting('statement_timeout') as value`
  expect(await database.transaction((tx) => tx.execute(limits))).toMatchObject([
    { value: '1800ms' },
  ])
})

/** PgBouncer gives the session to another client between a statement and the next one's description. */
test('no query is lost that follows another one on the same connection', async () => {
  const { ping, queryPipelined } = await open({ DATABASE_URL: pooler.url })
  for (let round = 0; round < 100; round += 1) {
    const [, { rows }] = await Promise.all([
      ping(),
      queryPipelined('select $1::int as number', [round]),
    ])
    expect(rows).toEqual([{ number: round }])
  }
})

test('recognizes a pooler that ignores startup parameters, and a server that does not', async () => {
  const lines = captureLog('info')
  const names =
    'plinth.direct, statement_timeout, lock_timeout, idle_in_transaction_session_timeout'
  const ignoring = await start({ ignore_startup_parameters: names })
  onTestFinished(() => ignoring.stop())
  await open({ DATABASE_URL: ignoring.url })
  expect(countOf(lines())).toBe(1)
  await open({ DATABASE_URL: `${postgres.url}?statement_timeout=5000` })
  expect(countOf(lines())).toBe(1)
})

test('names a parameter of the URL that a pooler refuses', async () => {
  await expect(open({ DATABASE_URL: `${pooler.url}?search_path=public` })).rejects.toThrow(
    /^DATABASE_URL: the connection pooler does not accept a parameter of the URL \(.*search_path\)\. Remove it from the URL\.$/,
  )
})

test('replaces the connections that a restart of the pooler has ended', async () => {
  const { query, queryPipelined, database, ping } = await open({ DATABASE_URL: pooler.url })
  await ping()
  await pooler.halt()
  const failure = await query('select 1', []).catch((error: unknown) => error)
  expect(isDatabaseUnavailable(failure)).toBe(true)
  await pooler.start()
  await ping()
  await Promise.all([
    query('select 1', []),
    queryPipelined('select 1', []),
    database.transaction((tx) => tx.execute(sql`select 1`)),
  ])
})

test('the role ends a statement that was given up', async () => {
  const unlimited = 'Behind the pooler, PostgreSQL does not end a statement that was given up.'
  expect(await diagnose()).toEqual([described, `warning: ${unlimited}`])
  const { query } = await open({ DATABASE_URL: pooler.url, DATABASE_TIMEOUT_MS: '500' })
  await query(`alter role postgres set client_connection_check_interval = '100ms'`, [])
  // For sessions that begin from now on.
  await pooler.halt()
  await pooler.start()
  expect(await diagnose()).toEqual([described])
  const error = await query(`select pg_sleep(50) as "given up"`, []).catch((e: unknown) => e)
  expect(sqlState(error)).toBeUndefined()
  expect(isDatabaseUnavailable(error)).toBe(true)
  const running = `select count(*)::int as count from pg_stat_activity
    where query like '%given up%' and state = 'active' and pid <> pg_backend_pid()`
  await vi.waitFor(
    async () => expect((await query(running, [])).rows).toMatchObject([{ count: 0 }]),
    { timeout: 10_000 },
  )
})
