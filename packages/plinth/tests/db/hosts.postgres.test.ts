import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Connection } from '#db/client'
import { isDatabaseUnavailable, sqlState } from '#db/errors'
import { openPostgres } from '#db/postgres/postgres'
import { type FreshDatabase, freshDatabase } from '#testing/database/database'
import { type MuteProxy, startMuteProxy } from '../support/outages/mute-proxy'

let fresh: FreshDatabase
/** Two ways to one server, which can each fall silent. */
let first: MuteProxy
let second: MuteProxy

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.remove())

beforeEach(async () => {
  first = await startMuteProxy(fresh.settings.DATABASE_URL ?? '')
  second = await startMuteProxy(fresh.settings.DATABASE_URL ?? '')
  onTestFinished(async () => {
    await first.stop()
    await second.stop()
  })
})

function open(url: string, timeoutMs = 2_000): Connection {
  const connection = openPostgres({ url, poolSize: 3, timeoutMs })
  onTestFinished(() => connection.close())
  return connection
}

const hostOf = (url: string) => new URL(url).host

const urlWith = (...hosts: string[]) => first.url.replace(hostOf(first.url), hosts.join(','))

const both = () => urlWith(hostOf(first.url), hostOf(second.url))

const failure = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable('It did not fail.'),
    (error: unknown) => error,
  )

test('a host that is silent or refuses does not use up the time of the next one', async () => {
  first.mute({ newConnections: true })
  for (const url of [both(), urlWith('127.0.0.1:1', hostOf(second.url))]) {
    const { ping, transact } = open(url)
    await ping()
    await transact((execute) => execute('select 1'))
  }
})

test('all connections leave a host that falls silent, also those that were idle', async () => {
  const { query, queryPipelined, background } = open(both())
  const pause = () => query('select pg_sleep(0.1)', [])
  await Promise.all([pause(), pause(), pause(), queryPipelined('select 1', [])])
  await background.execute(sql`select 1`)
  first.mute({ newConnections: true })
  expect(isDatabaseUnavailable(await failure(query('select 1', [])))).toBe(true)
  // Three in the pool, of which one was used, and one of each other kind. No other caller waits.
  await vi.waitFor(() => expect(first.closedByClient()).toBeGreaterThanOrEqual(5), {
    timeout: 5_000,
  })
  await Promise.all([pause(), pause(), pause(), queryPipelined('select 1', [])])
  await background.execute(sql`select 1`)
})

test('without a host that responds, everything that waits fails in time', async () => {
  const { query, queryPipelined, ping } = open(both(), 500)
  first.mute({ newConnections: true })
  second.mute({ newConnections: true })
  const attempts = [query('select 1', []), queryPipelined('select 1', []), ping()]
  // Without a limit they would wait for the operating system, which takes minutes.
  for (const error of await Promise.all(attempts.map(failure))) {
    expect(isDatabaseUnavailable(error)).toBe(true)
  }
  first.unmute()
  await vi.waitFor(() => ping(), { timeout: 30_000 })
  const refused = open('postgres://x@127.0.0.1:1,127.0.0.1:2/x')
  expect(await failure(refused.query('select 1', []))).toMatchObject({ code: 'ECONNREFUSED' })
})

test('refuses a server that takes no writes where writes are required', async () => {
  const readOnly = 'default_transaction_read_only=on'
  for (const url of [
    `${both()}?${readOnly}`,
    `${first.url}?${readOnly}&target_session_attrs=read-write`,
  ]) {
    const { query, ping, queryPipelined, transact } = open(url)
    const attempts = [
      query('select 1', []),
      ping(),
      queryPipelined('select 1', []),
      transact((execute) => execute('select 1')),
    ]
    for (const error of await Promise.all(attempts.map(failure))) {
      expect(sqlState(error)).toBe('25006')
    }
  }
  const { query } = open(`${both()}?${readOnly}&target_session_attrs=any`)
  await query('select 1', [])
})

test('a connection whose server took no write is replaced', async () => {
  const { database, query } = open(first.url)
  const pid = async () => {
    const { rows } = await query('select pg_backend_pid() as pid', [])
    return (rows[0] as { pid: number }).pid
  }
  const before = await pid()
  const write = database.transaction(async (tx) => {
    await tx.execute(sql`set transaction read only`)
    await tx.execute(sql`create table never (id int)`)
  })
  const error = await failure(write)
  expect(sqlState(error)).toBe('25006')
  expect(isDatabaseUnavailable(error)).toBe(true)
  expect(await pid()).not.toBe(before)
})
