import { asc, eq, inArray, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { sqlState } from '#db/errors'
import { users } from '#db/schema'
import { testDatabase } from '#testing/database/database'
import { repetitions } from '#testing/nightly'

const db = testDatabase()

const levels = ['read committed', 'repeatable read', 'serializable'] as const

test.each(levels)(
  '%s: one admin remains when two remove each other concurrently',
  async (level) => {
    for (let round = 0; round < repetitions(40); round += 1) {
      const ids = await twoAdmins(`${level.replace(' ', '-')}-${round}`)
      const together = barrier(ids.length)
      const outcomes = await Promise.all(
        ids.map((id) =>
          db.database
            .transaction(
              async (transaction) => {
                // The first statement takes the snapshot of the stricter levels.
                await transaction.execute(sql`select 1 from users limit 1`)
                await together()
                await (round % 2
                  ? transaction.delete(users).where(eq(users.id, id))
                  : transaction.update(users).set({ role: 'viewer' }).where(eq(users.id, id)))
              },
              { isolationLevel: level },
            )
            .then(() => 'removed', sqlState),
        ),
      )
      expect(outcomes.filter((outcome) => outcome === 'removed')).toHaveLength(1)
      expect(level === 'read committed' ? ['PL001'] : ['PL001', '40001']).toContain(
        outcomes.find((outcome) => outcome !== 'removed'),
      )
      expect(await db.database.$count(users, eq(users.role, 'admin'))).toBe(1)
    }
  },
)

test('concurrent role changes do not deadlock', async () => {
  for (let round = 0; round < repetitions(20); round += 1) {
    const pairs = [await newAdmins(`left-${round}`), await newAdmins(`right-${round}`)]
    const together = barrier(pairs.length)
    const outcomes = await Promise.all(
      pairs.map((ids) =>
        db.database
          .transaction(async (transaction) => {
            const both = transaction.select().from(users).where(inArray(users.id, ids))
            await both.orderBy(asc(users.id)).for('no key update')
            await together()
            await transaction
              .update(users)
              .set({ role: 'viewer' })
              .where(eq(users.id, ids[0] ?? ''))
          })
          .then(() => 'removed', sqlState),
      ),
    )
    expect(outcomes).toEqual(['removed', 'removed'])
  }
})

/** Creates two admins and demotes all others. */
async function twoAdmins(name: string): Promise<string[]> {
  const ids = await newAdmins(name)
  await db.database
    .update(users)
    .set({ role: 'viewer' })
    .where(sql`role = 'admin' and id not in ${ids}`)
  return ids
}

async function newAdmins(name: string): Promise<string[]> {
  const admins = ['first', 'second'].map((which) => ({
    email: `${which}-${name}@example.com`,
    name: which,
    role: 'admin' as const,
  }))
  const created = await db.database.insert(users).values(admins).returning({ id: users.id })
  return created.map(({ id }) => id)
}

/** Resolves for every caller once all have arrived. */
function barrier(size: number): () => Promise<void> {
  const waiting: (() => void)[] = []
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve)
      if (waiting.length === size) for (const release of waiting) release()
    })
}
