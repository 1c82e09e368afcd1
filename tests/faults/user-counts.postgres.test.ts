import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { foldUserCounts } from '@/core/auth/user-counts'
import { userCounts, users } from '@/core/db/schema'
import { testDatabase } from '../support/database'

const db = testDatabase()

async function sumOfCounts(): Promise<number> {
  const people = sql<number>`coalesce(sum(change), 0)`.mapWith(Number)
  const [row] = await db.database.select({ people }).from(userCounts)
  return row?.people ?? 0
}

const person = () => ({ email: `counted-${crypto.randomUUID()}@example.com`, name: 'Counted' })

test('while twenty write, others fold and read: never a wrong sum', {
  timeout: 90_000,
}, async () => {
  const before = await db.database.$count(users)
  let writing = true
  const sums: number[] = []
  const fold = async () => {
    while (writing) await foldUserCounts()
  }
  const read = async () => {
    while (writing) sums.push(await sumOfCounts())
  }
  const write = async () => {
    for (let index = 0; index < 80; index += 1) {
      const [created] = await db.database.insert(users).values(person()).returning()
      if (index % 4 === 0) await db.database.delete(users).where(eq(users.id, created?.id ?? ''))
    }
  }
  const writers = Promise.all(Array.from({ length: 20 }, write)).finally(() => {
    writing = false
  })
  await Promise.all([writers, fold(), fold(), read()])
  expect(Math.min(...sums)).toBeGreaterThanOrEqual(before)
  const after = await db.database.$count(users)
  expect(after).toBe(before + 20 * 60)
  expect(await sumOfCounts()).toBe(after)
})
