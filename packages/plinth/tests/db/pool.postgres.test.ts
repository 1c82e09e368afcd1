import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { isDatabaseUnavailable, sqlState } from '#db/errors'
import { openPostgres } from '#db/postgres/postgres'
import { freshDatabase, openFresh } from '#testing/database/database'

test('limits statements and the pool', async () => {
  const fresh = await freshDatabase()
  const connection = await openFresh(fresh, { poolSize: 3 })
  const { database } = connection
  const one = sql`(select 1) as one`
  const [setting] = await database
    .select({ limit: sql<string>`current_setting('statement_timeout')` })
    .from(one)
  expect(setting?.limit).toBe('18s')
  const slow = Array.from({ length: 12 }, () =>
    database.select({ pid: sql<number>`pg_backend_pid()`, pause: sql`pg_sleep(0.05)` }).from(one),
  )
  const pids = new Set((await Promise.all(slow)).map(([row]) => row?.pid))
  expect(pids.size).toBeLessThanOrEqual(3)
  const slowQuery = database.execute(sql`set statement_timeout = 50; select pg_sleep(5)`)
  expect(await slowQuery.then(() => undefined, sqlState)).toBe('57014')
  await connection.close()
  await fresh.remove()
})

test('recognizes an unreachable server', async () => {
  const connection = openPostgres({ url: 'postgres://postgres@127.0.0.1:1/postgres', poolSize: 1 })
  const error = await connection.ping().catch((reason: unknown) => reason)
  expect(isDatabaseUnavailable(error)).toBe(true)
  expect(isDatabaseUnavailable(new Error('syntax error'))).toBe(false)
  await connection.close()
})

test('runs a pipelined query while the whole pool is busy', async () => {
  const fresh = await freshDatabase()
  const connection = await openFresh(fresh, { poolSize: 1 })
  const order: string[] = []
  await Promise.all([
    connection.query('select pg_sleep(0.5)', []).then(() => order.push('slow')),
    connection.queryPipelined('select 1', []).then(() => order.push('pipelined')),
  ])
  expect(order).toEqual(['pipelined', 'slow'])
  await connection.close()
  await fresh.remove()
})

test('the list that the driver searches does not grow with every query', async () => {
  const fresh = await freshDatabase()
  const connection = await openFresh(fresh, { poolSize: 3 })
  await Promise.all([1, 2, 3].map(() => connection.query('select pg_sleep(0.1)', [])))
  const longest = trackLongestSearch()
  for (let turn = 0; turn < 6_000; turn += 1) await connection.query('select 1', [])
  expect(longest()).toBeLessThan(3_000)
  await connection.close()
  await fresh.remove()
})

/** Records the longest array that `indexOf` searches until the test finishes. */
function trackLongestSearch(): () => number {
  const { indexOf } = Array.prototype
  let longest = 0
  Array.prototype.indexOf = function (...args) {
    longest = Math.max(longest, this.length)
    return indexOf.apply(this, args)
  }
  onTestFinished(() => {
    Array.prototype.indexOf = indexOf
  })
  return () => longest
}
