import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { createDemoAccounts } from '#auth/accounts/users'
import { signInWithProvider } from '#auth/oauth/sign-in'
import { startSession } from '#auth/passwords/start-session'
import { replaceSession, revokeUserSessions } from '#auth/sessions/session'
import type { Database } from '#db/client'
import { accounts, passwords, sessions, users } from '#db/schema'
import type { SessionUser } from '#http/scope'
import { testDatabase } from '#testing/database/database'
import { newScope } from '#testing/scope'

const db = testDatabase()

let user: SessionUser
let hash: string

const profile = { provider: 'github', accountId: 'race', email: undefined, name: undefined }

beforeAll(async () => {
  await createDemoAccounts(db.database)
  const [viewer] = await db.database
    .select()
    .from(users)
    .where(eq(users.email, 'viewer@example.com'))
  if (!viewer) throw new Error('No viewer was found.')
  user = viewer
  const [password] = await db.database.select().from(passwords).where(eq(passwords.userId, user.id))
  hash = password?.hash ?? ''
  await db.database
    .insert(accounts)
    .values({ userId: user.id, provider: 'github', providerAccountId: 'race' })
})

beforeEach(async () => {
  await db.database.delete(sessions)
  await db.database.insert(sessions).values(
    Array.from({ length: 50 }, () => ({
      tokenHash: crypto.getRandomValues(Buffer.alloc(32)),
      userId: user.id,
      expiresAt: new Date(Date.now() + 3_600_000),
    })),
  )
})

const live = () => db.database.$count(sessions, eq(sessions.userId, user.id))

const signInWithPassword = () => startSession(newScope(), user, hash)

/** As a confirmed password does. */
async function signInWithin(transaction: Database) {
  await transaction.select().from(users).where(eq(users.id, user.id)).for('share')
  return replaceSession(transaction, newScope(), user, { by: 'password' })
}

test('a sign-in waits for one that has not committed, and both keep the limit', async () => {
  const second = await db.database.transaction(async (transaction) => {
    await signInWithin(transaction)
    const done = signInWithPassword()
    await Promise.race([done, expect.poll(() => countWaiting()).toBe(1)])
    return { done }
  })
  await second.done
  expect(await live()).toBe(50)
})

test('parallel sign-ins and revocations keep the limit and do not deadlock', async () => {
  const revokeAll = () =>
    db.database.transaction(async (transaction) => {
      await transaction.select().from(users).where(eq(users.id, user.id)).for('no key update')
      return revokeUserSessions(transaction, user.id)
    })
  const signInWithGitHub = () => signInWithProvider(newScope(), profile, { linkTo: undefined })
  const signIns = () => [
    signInWithPassword(),
    db.database.transaction(signInWithin),
    signInWithGitHub(),
  ]
  await Promise.all(Array.from({ length: 20 }, signIns).flat())
  expect(await live()).toBe(50)
  await Promise.all(Array.from({ length: 20 }, () => [...signIns(), revokeAll()]).flat())
  expect(await live()).toBeLessThanOrEqual(50)
})

async function countWaiting(): Promise<number> {
  const { rows } = await db.connection.query(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
    [],
  )
  return (rows[0] as { count: number }).count
}
