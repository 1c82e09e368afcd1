import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { createDemoAccounts, demoPassword } from '@/core/auth/demo-accounts'
import { hashPassword } from '@/core/auth/password'
import { endSessionsOf } from '@/core/auth/sessions'
import { signInWithPassword } from '@/core/auth/sign-in'
import { storePassword } from '@/core/auth/store-password'
import { sessions, users } from '@/core/db/schema'
import { testDatabase } from '../support/database'
import { newScope } from '../support/scope'

const db = testDatabase()

beforeAll(() => createDemoAccounts(db.database))

test('a sign-in with the old password that began before the change does not outlive it', async () => {
  const [viewer] = await db.database
    .select({ id: users.id })
    .from(users)
    .where(eq(users.email, 'viewer@example.com'))
  const userId = viewer?.id ?? ''
  const hash = await hashPassword('something quite new')
  const credentials = { email: 'viewer@example.com', password: demoPassword }
  const late = await db.database.transaction(async (transaction) => {
    await transaction.select().from(users).where(eq(users.id, userId)).for('no key update')
    await storePassword(transaction, userId, hash)
    const signingIn = signInWithPassword(newScope(), credentials, undefined)
    // It has compared the old password and waits for this transaction.
    await expect.poll(() => waiting()).toBe(1)
    await endSessionsOf(transaction, userId)
    return { signingIn }
  })
  expect(await late.signingIn).toBeUndefined()
  expect(await db.database.$count(sessions, eq(sessions.userId, userId))).toBe(0)
})

async function waiting(): Promise<number> {
  const { rows } = await db.connection.query(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
    [],
  )
  return (rows[0] as { count: number }).count
}
