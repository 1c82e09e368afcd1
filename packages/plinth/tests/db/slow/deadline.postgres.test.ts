import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Connection } from '#db/client'
import { withinDeadline } from '#db/deadline'
import { isDatabaseUnavailable, sqlState } from '#db/errors'
import { openPostgres } from '#db/postgres/postgres'
import { runInRequest } from '#log/current-request'
import { type FreshDatabase, freshDatabase, openFresh } from '#testing/database/database'
import { startMuteProxy } from '../../support/outages/mute-proxy'

let fresh: FreshDatabase
let control: Connection

beforeAll(async () => {
  fresh = await freshDatabase()
  control = await openFresh(fresh)
  await control.query('create table test_notes (text text primary key)', [])
})

afterAll(async () => {
  await control.close()
  await fresh.remove()
})

async function open(options: { poolSize?: number; timeoutMs?: number; url?: string } = {}) {
  const url = options.url ?? fresh.settings.DATABASE_URL ?? ''
  const connection = openPostgres({ poolSize: 2, timeoutMs: 1_500, ...options, url })
  onTestFinished(() => connection.close())
  return connection
}

const failure = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable('It did not fail.'),
    (error: unknown) => error,
  )

const countNotes = async () => {
  const { rows } = await control.query('select count(*)::int as count from test_notes', [])
  return (rows[0] as { count: number }).count
}

const request = (requestId: string) => ({ requestId, method: 'GET', path: '/' })

test('gives up on a silent server, and reconnects once it answers', async () => {
  const proxy = await startMuteProxy(fresh.settings.DATABASE_URL ?? '')
  onTestFinished(() => proxy.stop())
  const { query, queryPipelined, ping, database } = await open({ url: proxy.url })
  await ping()
  proxy.mute({ newConnections: true })
  const work = [
    () => query('select 1', []),
    () => queryPipelined('select 1', []),
    () => database.transaction((tx) => tx.execute(sql`select 1`)),
    () => ping(),
  ]
  for (const attempt of work) {
    const startedAt = performance.now()
    expect(isDatabaseUnavailable(await failure(attempt()))).toBe(true)
    expect(performance.now() - startedAt).toBeLessThan(10_000)
  }
  proxy.unmute()
  // A connection that was being opened may still fail.
  await vi.waitFor(() => ping(), { timeout: 5_000 })
  for (const attempt of work) await attempt()
})

test('a refused connection fails everything that waits behind it', async () => {
  const { query, queryPipelined } = await open({ url: 'postgres://x@127.0.0.1:1/x' })
  const attempts = Array.from({ length: 60 }, () => [
    failure(query('select 1', [])),
    failure(queryPipelined('select 1', [])),
  ]).flat()
  for (const error of await Promise.all(attempts)) {
    expect(error).toMatchObject({ code: 'ECONNREFUSED' })
  }
})

test('a statement that was given up while it waited is never executed', async () => {
  const { database, query } = await open({ poolSize: 1 })
  const holdsConnection = database.transaction(async () => {
    const insert = query(`insert into test_notes values ('late')`, [])
    expect(await failure(insert)).toMatchObject({ code: 'DATABASE_TIMEOUT' })
  })
  await holdsConnection
  await query('select 1', [])
  expect(await countNotes()).toBe(0)
})

test('a lock that is held too long fails the statement and keeps the connection', async () => {
  const { database } = await open({ poolSize: 1, timeoutMs: 3_000 })
  const pid = async () => {
    const [row] = await database.select({ pid: sql<number>`pg_backend_pid()` }).from(one)
    return row?.pid
  }
  const before = await pid()
  await control.database.transaction(async (tx) => {
    await tx.execute(sql`lock table test_notes in access exclusive mode`)
    const error = await failure(database.execute(sql`select * from test_notes`))
    expect(sqlState(error)).toBe('55P03')
    expect(isDatabaseUnavailable(error)).toBe(true)
    const inTransaction = database.transaction((mine) =>
      mine.execute(sql`select * from test_notes`),
    )
    expect(sqlState(await failure(inTransaction))).toBe('55P03')
  })
  expect(await pid()).toBe(before)
})

const one = sql`(select 1) as one`

test('a slow statement ends at the limit, in the server too', async () => {
  const { query } = await open()
  expect(isDatabaseUnavailable(await failure(query('select pg_sleep(60)', [])))).toBe(true)
  const countRunning = async () => {
    const { rows } = await control.query(
      `select 1 from pg_stat_activity where query = 'select pg_sleep(60)' and state = 'active'
       and datname = current_database()`,
      [],
    )
    return rows.length
  }
  await expect.poll(countRunning).toBe(0)
})

test('background work has limits of its own', async () => {
  const { background } = await open({ timeoutMs: 200 })
  await background.execute(sql`select pg_sleep(0.5)`)
})

test('the statements of one request share the limit', async () => {
  const { query } = await open({ timeoutMs: 4_000 })
  const pause = () => query('select pg_sleep(1.5)', [])
  await runInRequest(request('slow'), async () => {
    await Promise.all([pause(), pause()])
    await pause()
    expect(isDatabaseUnavailable(await failure(pause()))).toBe(true)
  })
  await runInRequest(request('other'), pause)
})

test('a request that has lost the database does not wait for it again', async () => {
  const lost = Object.assign(new Error('lost'), { code: 'CONNECTION_CLOSED' })
  await runInRequest(request('lost'), async () => {
    expect(await failure(withinDeadline(1_000, () => Promise.reject(lost)))).toBe(lost)
    const second = withinDeadline(1_000, () => expect.unreachable('It waited.'))
    expect(await failure(second)).toBe(lost)
  })
})

test('a health check does not wait behind statements that wait for a lock', async () => {
  const { database, ping } = await open({ poolSize: 2, timeoutMs: 2_000 })
  await control.database.transaction(async (tx) => {
    await tx.execute(sql`lock table test_notes in access exclusive mode`)
    const waiting = Array.from({ length: 20 }, () =>
      failure(database.execute(sql`select * from test_notes`)),
    )
    const order: string[] = []
    const health = ping().then(() => order.push('health'))
    const all = Promise.all(waiting).then(() => order.push('lock'))
    await health
    expect(order).toEqual(['health'])
    await all
  })
})

test('recognizes a read-only database', async () => {
  const { ping } = await open({
    url: `${fresh.settings.DATABASE_URL}?default_transaction_read_only=on`,
  })
  expect(sqlState(await failure(ping()))).toBe('25006')
})
