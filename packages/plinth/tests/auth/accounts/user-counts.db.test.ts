import { inArray, sql } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import { compactUserCounts } from '#auth/accounts/users'
import { userCounts, users } from '#db/schema'
import { testDatabase } from '#testing/database/database'

const db = testDatabase()

const newUser = (index: number) => ({
  email: `counted-${index}-${crypto.randomUUID()}@example.com`,
  name: 'Counted',
  createdAt: new Date(Date.now() - index * 24 * 60 * 60 * 1000),
})

/** The maintained counts, and the same counted from the users. */
async function bothCounts() {
  const day = sql<string>`to_char(${users.createdAt} at time zone 'UTC', 'YYYY-MM-DD')`
  const counted = await db.database
    .select({ role: users.role, day, count: sql<number>`count(*)`.mapWith(Number) })
    .from(users)
    .groupBy(users.role, day)
  const count = sql<number>`sum(change)`.mapWith(Number)
  const maintained = await db.database
    .select({ role: userCounts.role, day: sql<string>`day::text`, count })
    .from(userCounts)
    .groupBy(userCounts.role, userCounts.day)
    .having(sql`sum(change) <> 0`)
  return { counted: sorted(counted), maintained: sorted(maintained) }
}

function sorted(rows: { role: string; day: string; count: number }[]) {
  return rows.map((row) => `${row.role} ${row.day} ${row.count}`).sort()
}

afterEach(async () => {
  const { counted, maintained } = await bothCounts()
  expect(maintained).toEqual(counted)
})

test('counts inserts, role changes and deletions', async () => {
  const created = await db.database
    .insert(users)
    .values(Array.from({ length: 50 }, (_, index) => newUser(index % 5)))
    .returning({ id: users.id })
  const ids = created.map(({ id }) => id)
  await db.database
    .update(users)
    .set({ role: 'editor' })
    .where(inArray(users.id, ids.slice(0, 10)))
  await db.database.update(users).set({ name: 'Renamed' }).where(inArray(users.id, ids))
  await db.database.delete(users).where(inArray(users.id, ids.slice(5, 20)))
})

test('does not count rolled-back or conflicting inserts', async () => {
  const user = newUser(0)
  await db.database.insert(users).values(user)
  await db.database.insert(users).values(user).onConflictDoNothing()
  await db.database
    .insert(users)
    .values({ ...user, role: 'editor' })
    .onConflictDoUpdate({ target: users.email, set: { role: 'editor' } })
  await db.database
    .transaction(async (transaction) => {
      await transaction.insert(users).values(newUser(1))
      transaction.rollback()
    })
    .catch(() => {})
})

test('compaction merges rows, and old days into one', async () => {
  for (let index = 0; index < 2; index += 1) {
    await db.database.insert(users).values(Array.from({ length: 600 }, (_, day) => newUser(day)))
  }
  await compactUserCounts()
  const rows = await db.database.select().from(userCounts)
  expect(rows.length).toBeLessThan(300)
  const [old] = await db.database
    .select({ count: sql<number>`sum(change)`.mapWith(Number) })
    .from(userCounts)
    .where(sql`day = '-infinity'`)
  expect(old?.count).toBe(2 * (600 - 120))
  // The comparison after each test expects one row per day.
  await db.database.delete(users).where(sql`created_at < now() - interval '119 days'`)
  await db.database.execute(sql`delete from user_counts where day < now() - interval '119 days'`)
})
