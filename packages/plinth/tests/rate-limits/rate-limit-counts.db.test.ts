import { afterEach, expect, test, vi } from 'vitest'
import { counts } from '#rate-limits/counts'
import { deleteExpiredCounts } from '#rate-limits/postgres-counts'
import { checkRateLimit } from '#rate-limits/rate-limit'
import type { Limit } from '#rate-limits/stored-count'
import { onPostgres, testDatabase } from '#testing/database/database'
import { configure } from '#testing/settings'
import { controlLimitTime, passLimitTime } from '../support/limit-time'

const db = testDatabase()

// So that the counts are in the database.
if (onPostgres) configure({ DATABASE_URL: 'postgres://127.0.0.1/unused' })

const dayMs = 24 * 60 * 60_000

let limits = 0

function newLimit(seconds = 60): Limit {
  limits += 1
  return { name: 'counts', rateLimit: { times: 3, seconds }, key: `limit-${limits}` }
}

const up = (limit: Limit) => ({ limit, by: 1 as const })
const down = (limit: Limit) => ({ limit, by: -1 as const })

const readOne = async (limit: Limit) => (await counts().change([up(newLimit())], [limit])).read[0]

afterEach(() => {
  vi.useRealTimers()
})

test('returns the new counts, and reads the others after that', async () => {
  const [one, other] = [newLimit(), newLimit()]
  expect(await counts().change([up(one), up(other)], [other, one, newLimit()])).toEqual({
    changed: [
      { uses: 1, seconds: 60 },
      { uses: 1, seconds: 60 },
    ],
    read: [
      { uses: 1, seconds: 60 },
      { uses: 1, seconds: 60 },
      { uses: 0, seconds: 0 },
    ],
  })
  const { changed } = await counts().change([down(one), up(other)])
  expect(changed.map(({ uses }) => uses)).toEqual([0, 2])
})

test('a count goes beyond its limit, and starts again when its time is over', async () => {
  controlLimitTime()
  const limit = newLimit()
  for (const uses of [1, 2, 3, 4]) {
    expect((await counts().change([up(limit)])).changed).toMatchObject([{ uses }])
  }
  await passLimitTime(45_000)
  const { uses, seconds = 0 } = (await readOne(limit)) ?? {}
  expect(uses).toBe(4)
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(15)
  await passLimitTime(15_000)
  expect(await readOne(limit)).toEqual({ uses: 0, seconds: 0 })
  expect(await counts().change([up(limit)], [limit])).toEqual({
    changed: [{ uses: 1, seconds: 60 }],
    read: [{ uses: 1, seconds: 60 }],
  })
})

test.each([
  ['400 days ahead', 400 * dayMs],
  ['400 days behind', -400 * dayMs],
])('the clock of this machine does not matter: %s', async (_, offsetMs) => {
  const { rateLimit, key } = newLimit()
  const use = () => checkRateLimit('clock', rateLimit, key)
  for (let count = 0; count < 4; count += 1) await use()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + offsetMs })
  const during = await use()
  expect(during.allowed).toBe(false)
  expect(during.seconds).toBeLessThanOrEqual(60)
  // Counted while it is wrong, and read when it is right again.
  const other = newLimit()
  for (let count = 0; count < 4; count += 1)
    await checkRateLimit('clock', other.rateLimit, other.key)
  vi.useRealTimers()
  const after = await checkRateLimit('clock', other.rateLimit, other.key)
  expect(after).toMatchObject({ allowed: false, remaining: 0 })
  expect(after.seconds).toBeLessThanOrEqual(60)
})

if (onPostgres)
  test('an end that is too late, by a wrong clock, locks no one out', async () => {
    const limit = newLimit()
    for (let count = 0; count < 4; count += 1) await counts().change([up(limit)])
    const { connection } = db
    await connection.query('update rate_limits set expire = expire + $1', [400 * dayMs])
    expect(await readOne(limit)).toEqual({ uses: 0, seconds: 0 })
    expect((await counts().change([up(limit)])).changed).toEqual([{ uses: 1, seconds: 60 }])
    expect(await readOne(limit)).toEqual({ uses: 1, seconds: 60 })
  })

if (onPostgres)
  test('a sweep deletes counts that are over or end too late', async () => {
    const { connection } = db
    const keys = async () => {
      const { rows } = await connection.query('select key from rate_limits order by key', [])
      return rows.map((row) => (row as { key: string }).key)
    }
    await connection.query('delete from rate_limits', [])
    const [over, late, current] = [newLimit(), newLimit(), newLimit()]
    for (const limit of [over, late, current]) await counts().change([up(limit)])
    const shift = 'update rate_limits set expire = expire + $2 where key = $1'
    await connection.query(shift, [`plinth.counts:${over.key}`, -60_000])
    await connection.query(shift, [`plinth.counts:${late.key}`, 400 * dayMs])
    expect(await deleteExpiredCounts(10)).toBe(2)
    expect(await keys()).toEqual([`plinth.counts:${current.key}`])
  })

test('concurrent changes of the same counts in any order do not deadlock', async () => {
  const all = Array.from({ length: 20 }, () => newLimit())
  const changes = Array.from({ length: 60 }, (_, index) =>
    counts().change((index % 2 ? all : all.toReversed()).map(up)),
  )
  await Promise.all(changes)
  const { read } = await counts().change([up(newLimit())], all)
  expect(read.map(({ uses }) => uses)).toEqual(Array(20).fill(60))
})

test('clears the counts whose key has a part, and no others', async () => {
  const rateLimit = { times: 3, seconds: 60 }
  const keyed = (key: string): Limit => ({ name: 'cleared', rateLimit, key })
  const cleared = ['192.0.2.1', '192.0.2.1 abc', 'abc 192.0.2.1', '192.0.2.1 7'].map(keyed)
  const kept = ['192.0.2.11', 'x192.0.2.1', 'abc', '192.0.2.10 abc'].map(keyed)
  await counts().change([...cleared, ...kept].map(up))
  expect(await counts().clear(['192.0.2.1'])).toBe(4)
  const { read } = await counts().change([up(newLimit())], [...cleared, ...kept])
  expect(read.map(({ uses }) => uses)).toEqual([0, 0, 0, 0, 1, 1, 1, 1])
})
