import { configure } from '@tests/support/client'
import { onPostgres, testDatabase } from '@tests/support/database'
import { afterEach, expect, test, vi } from 'vitest'
import { changeUses } from '@/core/rate-limits/attempts-in-flight'
import type { Limit } from '@/core/rate-limits/rate-limit'

testDatabase()

// So that the counts are in the database.
if (onPostgres) configure({ DATABASE_URL: 'postgres://127.0.0.1/unused' })

let limits = 0

function newLimit(seconds = 60): Limit {
  limits += 1
  return { name: 'change-uses', rateLimit: { times: 3, seconds }, key: `limit ${limits}` }
}

const up = (limit: Limit) => ({ limit, by: 1 as const })
const down = (limit: Limit) => ({ limit, by: -1 as const })

const readOne = async (limit: Limit) => (await changeUses([up(newLimit())], [limit])).read[0]

afterEach(() => {
  vi.useRealTimers()
})

test('returns the new counts, and reads the others after that', async () => {
  const [one, other] = [newLimit(), newLimit()]
  expect(await changeUses([up(one), up(other)], [other, one, newLimit()])).toEqual({
    changed: [1, 1],
    read: [
      { uses: 1, seconds: 60 },
      { uses: 1, seconds: 60 },
      { uses: 0, seconds: 0 },
    ],
  })
  expect((await changeUses([down(one), up(other)])).changed).toEqual([0, 2])
})

test('a count goes beyond its limit, and starts again when its time is over', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  const limit = newLimit()
  for (const count of [1, 2, 3, 4]) expect((await changeUses([up(limit)])).changed).toEqual([count])
  vi.setSystemTime(Date.now() + 45_000)
  expect(await readOne(limit)).toEqual({ uses: 4, seconds: 15 })
  vi.setSystemTime(Date.now() + 15_000)
  expect(await readOne(limit)).toEqual({ uses: 0, seconds: 0 })
  expect(await changeUses([up(limit)], [limit])).toEqual({
    changed: [1],
    read: [{ uses: 1, seconds: 60 }],
  })
})

test('concurrent changes of the same counts in any order do not deadlock', async () => {
  const all = Array.from({ length: 20 }, () => newLimit())
  const changes = Array.from({ length: 60 }, (_, index) =>
    changeUses((index % 2 ? all : all.toReversed()).map(up)),
  )
  await Promise.all(changes)
  expect((await changeUses([up(newLimit())], all)).read.map(({ uses }) => uses)).toEqual(
    Array(20).fill(60),
  )
})
