import { inArray, sql } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import { foldUserCounts } from '@/core/auth/user-counts'
import { userCounts, users } from '@/core/db/schema'
import { testDatabase } from '../support/database'

const db = testDatabase()

const person = (index: number) => ({
  email: `counted-${index}-${crypto.randomUUID()}@example.com`,
  name: 'Counted',
  createdAt: new Date(Date.now() - index * 24 * 60 * 60 * 1000),
})

/** The sums that are kept, and the same counted one by one. */
async function bothCounts() {
  const day = sql<string>`to_char(${users.createdAt} at time zone 'UTC', 'YYYY-MM-DD')`
  const counted = await db.database
    .select({ role: users.role, day, people: sql<number>`count(*)`.mapWith(Number) })
    .from(users)
    .groupBy(users.role, day)
  const people = sql<number>`sum(change)`.mapWith(Number)
  const kept = await db.database
    .select({ role: userCounts.role, day: sql<string>`day::text`, people })
    .from(userCounts)
    .groupBy(userCounts.role, userCounts.day)
    .having(sql`sum(change) <> 0`)
  return { counted: sorted(counted), kept: sorted(kept) }
}

function sorted(rows: { role: string; day: string; people: number }[]) {
  return rows.map((row) => `${row.role} ${row.day} ${row.people}`).sort()
}

afterEach(async () => {
  const { counted, kept } = await bothCounts()
  expect(kept).toEqual(counted)
})

test('many at once, changes of role, and deletions', async () => {
  const created = await db.database
    .insert(users)
    .values(Array.from({ length: 50 }, (_, index) => person(index % 5)))
    .returning({ id: users.id })
  const ids = created.map(({ id }) => id)
  await db.database
    .update(users)
    .set({ role: 'editor' })
    .where(inArray(users.id, ids.slice(0, 10)))
  await db.database.update(users).set({ name: 'Renamed' }).where(inArray(users.id, ids))
  await db.database.delete(users).where(inArray(users.id, ids.slice(5, 20)))
})

test('what was undone was not counted, and a repeated address is counted once', async () => {
  const once = person(0)
  await db.database.insert(users).values(once)
  await db.database.insert(users).values(once).onConflictDoNothing()
  await db.database
    .insert(users)
    .values({ ...once, role: 'editor' })
    .onConflictDoUpdate({ target: users.email, set: { role: 'editor' } })
  await db.database
    .transaction(async (transaction) => {
      await transaction.insert(users).values(person(1))
      transaction.rollback()
    })
    .catch(() => {})
})

test('few are made of many, and old days become one', async () => {
  for (let index = 0; index < 2; index += 1) {
    await db.database.insert(users).values(Array.from({ length: 600 }, (_, day) => person(day)))
  }
  await foldUserCounts()
  const rows = await db.database.select().from(userCounts)
  expect(rows.length).toBeLessThan(300)
  const [old] = await db.database
    .select({ people: sql<number>`sum(change)`.mapWith(Number) })
    .from(userCounts)
    .where(sql`day = '-infinity'`)
  expect(old?.people).toBe(2 * (600 - 120))
  // For the comparison after each test, which knows every day.
  await db.database.delete(users).where(sql`created_at < now() - interval '119 days'`)
  await db.database.execute(sql`delete from user_counts where day < now() - interval '119 days'`)
})
