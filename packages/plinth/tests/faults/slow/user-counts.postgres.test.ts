import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { compactUserCounts } from '#auth/accounts/users'
import { userCounts, users } from '#db/schema'
import { testDatabase } from '#testing/database/database'

const db = testDatabase()

async function sumOfCounts(): Promise<number> {
  const count = sql<number>`coalesce(sum(change), 0)`.mapWith(Number)
  const [row] = await db.database.select({ count }).from(userCounts)
  return row?.count ?? 0
}

const newUser = () => ({ email: `counted-${crypto.randomUUID()}@example.com`, name: 'Counted' })

test('counts stay correct with concurrent writes, compaction and reads', {
  timeout: 90_000,
}, async () => {
  const before = await db.database.$count(users)
  let writing = true
  const sums: number[] = []
  const compact = async () => {
    while (writing) await compactUserCounts()
  }
  const read = async () => {
    while (writing) sums.push(await sumOfCounts())
  }
  const write = async () => {
    for (let index = 0; index < 80; index += 1) {
      const [created] = await db.database.insert(users).values(newUser()).returning()
      if (index % 4 === 0) await db.database.delete(users).where(eq(users.id, created?.id ?? ''))
    }
  }
  const writers = Promise.all(Array.from({ length: 20 }, write)).finally(() => {
    writing = false
  })
  await Promise.all([writers, compact(), compact(), read()])
  expect(Math.min(...sums)).toBeGreaterThanOrEqual(before)
  const after = await db.database.$count(users)
  expect(after).toBe(before + 20 * 60)
  expect(await sumOfCounts()).toBe(after)
})
