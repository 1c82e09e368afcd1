import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { createDemoAccounts } from '#auth/accounts/users'
import { hashPassword } from '#auth/passwords/hash'
import { signInWithPassword } from '#auth/passwords/sign-in'
import { storePassword } from '#auth/passwords/user-password'
import { revokeUserSessions } from '#auth/sessions/session'
import { sessions, users } from '#db/schema'
import { testDatabase } from '#testing/database/database'
import { newScope } from '#testing/scope'
import { demoPassword } from '#universal/users'

const db = testDatabase()

beforeAll(() => createDemoAccounts(db.database))

test('rejects a sign-in that verified the old password before the change', async () => {
  const [viewer] = await db.database
    .select({ id: users.id })
    .from(users)
    .where(eq(users.email, 'viewer@example.com'))
  const userId = viewer?.id ?? ''
  const hash = await hashPassword('another password entirely')
  const credentials = { email: 'viewer@example.com', password: demoPassword }
  const pending = await db.database.transaction(async (transaction) => {
    await transaction.select().from(users).where(eq(users.id, userId)).for('no key update')
    await storePassword(transaction, userId, hash)
    const signingIn = signInWithPassword(newScope(), credentials)
    // It has verified the old password and waits for this transaction.
    await expect.poll(() => countWaiting()).toBe(1)
    await revokeUserSessions(transaction, userId)
    return { signingIn }
  })
  expect(await pending.signingIn).toBeUndefined()
  expect(await db.database.$count(sessions, eq(sessions.userId, userId))).toBe(0)
})

async function countWaiting(): Promise<number> {
  const { rows } = await db.connection.query(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
    [],
  )
  return (rows[0] as { count: number }).count
}
