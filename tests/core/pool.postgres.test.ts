import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { isUnreachable, sqlState } from '@/core/db/errors'
import { openPostgres } from '@/core/db/postgres'
import { freshDatabase, openPlace } from '../support/database'

test('a statement is given ten seconds and the pool its size, however many ask', async () => {
  const place = await freshDatabase()
  const connection = await openPlace(place, 3)
  const { database } = connection
  const one = sql`(select 1) as one`
  const [setting] = await database
    .select({ limit: sql<string>`current_setting('statement_timeout')` })
    .from(one)
  expect(setting?.limit).toBe('10s')
  const slow = Array.from({ length: 12 }, () =>
    database.select({ pid: sql<number>`pg_backend_pid()`, nap: sql`pg_sleep(0.05)` }).from(one),
  )
  const pids = new Set((await Promise.all(slow)).map(([row]) => row?.pid))
  expect(pids.size).toBeLessThanOrEqual(3)
  const late = database.execute(sql`set statement_timeout = 50; select pg_sleep(5)`)
  expect(await late.then(() => undefined, sqlState)).toBe('57014')
  await connection.close()
  await place.remove()
})

test('a server that is not there is known as away', async () => {
  const connection = openPostgres({ url: 'postgres://postgres@127.0.0.1:1/postgres', poolSize: 1 })
  const failed = await connection.ping().catch((error: unknown) => error)
  expect(isUnreachable(failed)).toBe(true)
  expect(isUnreachable(new Error('syntax error'))).toBe(false)
  await connection.close()
})

test('who is signed in can be asked while the whole pool is busy', async () => {
  const place = await freshDatabase()
  const connection = await openPlace(place, 1)
  const order: string[] = []
  await Promise.all([
    connection.query('select pg_sleep(0.5)', []).then(() => order.push('slow')),
    connection.ask('select 1', []).then(() => order.push('asked')),
  ])
  expect(order).toEqual(['asked', 'slow'])
  await connection.close()
  await place.remove()
})

test('what the driver searches at a query does not grow with every query', async () => {
  const place = await freshDatabase()
  const connection = await openPlace(place, 3)
  await Promise.all([1, 2, 3].map(() => connection.query('select pg_sleep(0.1)', [])))
  const longest = longestSearched()
  for (let turn = 0; turn < 6_000; turn += 1) await connection.query('select 1', [])
  expect(longest()).toBeLessThan(3_000)
  await connection.close()
  await place.remove()
})

/** The length of the longest list that anybody looks for something in, until the test ends. */
function longestSearched(): () => number {
  const { indexOf } = Array.prototype
  let longest = 0
  Array.prototype.indexOf = function (...sought) {
    longest = Math.max(longest, this.length)
    return indexOf.apply(this, sought)
  }
  onTestFinished(() => {
    Array.prototype.indexOf = indexOf
  })
  return () => longest
}
