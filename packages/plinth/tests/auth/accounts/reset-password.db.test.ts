import { and, desc, eq } from 'drizzle-orm'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createLink } from '#auth/accounts/links'
import { resetPasswordWithLink } from '#auth/accounts/sign-up'
import { createDemoAccounts } from '#auth/accounts/users'
import { signInWithPassword } from '#auth/passwords/sign-in'
import { findSession } from '#auth/sessions/cache'
import { accounts, auditEvents, mailQueue, passwords, sessions, users } from '#db/schema'
import { testDatabase } from '#testing/database/database'
import { newScope, sessionOf } from '#testing/scope'
import { demoPassword } from '#universal/users'

const db = testDatabase()

const newPassword = 'something quite new'

beforeAll(() => createDemoAccounts(db.database))
afterEach(() => db.database.delete(mailQueue))

async function userOf(email: string) {
  const [user] = await db.database.select().from(users).where(eq(users.email, email))
  if (!user) throw new Error(`No user has the email ${email}.`)
  return user
}

async function linkFor(email: string): Promise<string> {
  const { id } = await userOf(email)
  return createLink(db.database, 'reset_password', { email, userId: id })
}

async function hashOf(email: string): Promise<string | undefined> {
  const { id } = await userOf(email)
  const [row] = await db.database.select().from(passwords).where(eq(passwords.userId, id))
  return row?.hash
}

const signIn = (email: string, password: string) =>
  signInWithPassword(newScope(), { email, password })

const reset = (token: string, password = newPassword, scope = newScope()) =>
  resetPasswordWithLink(scope, { token, password, keep: ['provider-a'] })

test('replaces the password and revokes every session', async () => {
  const before = await Promise.all([1, 2, 3].map(() => signIn('viewer@example.com', demoPassword)))
  const scope = newScope()
  const result = await reset(await linkFor('viewer@example.com'), newPassword, scope)
  if (result.outcome !== 'done') throw new Error(result.outcome)
  for (const created of before) {
    expect(await findSession(sessionOf(created).token)).toBeUndefined()
  }
  expect(await findSession(sessionOf(result.signedIn).token)).toBeDefined()
  expect(await signIn('viewer@example.com', demoPassword)).toBeUndefined()
  expect(await signIn('viewer@example.com', newPassword)).toBeDefined()
  const { id } = await userOf('viewer@example.com')
  const [event] = await db.database
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.action, 'reset_password'), eq(auditEvents.outcome, 'success')))
    .orderBy(desc(auditEvents.id))
  expect(event).toMatchObject({
    actorId: id,
    targetId: id,
    ip: scope.ip,
    requestId: scope.requestId,
  })
  const queued = await db.database.select().from(mailQueue)
  expect(queued).toMatchObject([{ purpose: 'account_changed', email: 'viewer@example.com' }])
})

test('accepts one of ten concurrent uses of a link', async () => {
  const token = await linkFor('editor@example.com')
  const candidates = Array.from({ length: 10 }, (_, index) => `new password number ${index}`)
  const results = await Promise.all(candidates.map((candidate) => reset(token, candidate)))
  const winner = results.findIndex(({ outcome }) => outcome === 'done')
  expect(results.filter(({ outcome }) => outcome === 'invalid_link')).toHaveLength(9)
  expect(await signIn('editor@example.com', candidates[winner] ?? '')).toBeDefined()
  const { id } = await userOf('editor@example.com')
  expect(await db.database.$count(sessions, eq(sessions.userId, id))).toBe(2)
})

describe('changes nothing', () => {
  test.each(['', 'A'.repeat(43)])('with an invalid link: %j', async (token) => {
    const { session } = sessionOf(await signIn('admin@example.com', demoPassword))
    const hash = await hashOf('admin@example.com')
    expect(await reset(token)).toEqual({ outcome: 'invalid_link' })
    expect(await hashOf('admin@example.com')).toBe(hash)
    expect(await db.database.$count(sessions, eq(sessions.id, session.id))).toBe(1)
    expect(await db.database.$count(mailQueue)).toBe(0)
  })

  test('with a weak password, and the link still works', async () => {
    const token = await linkFor('admin@example.com')
    const hash = await hashOf('admin@example.com')
    for (const weak of ['admin@example.com', 'Demo-Admin-2026', demoPassword]) {
      expect(await reset(token, weak)).toMatchObject({ outcome: 'weak_password' })
    }
    expect(await hashOf('admin@example.com')).toBe(hash)
    expect(await reset(token)).toMatchObject({ outcome: 'done' })
  })
})

test('sets the first password of an account without one', async () => {
  const email = 'oauth-only@example.com'
  await db.database.insert(users).values({ email, name: 'OAuth only', emailVerifiedAt: new Date() })
  const { id } = await userOf(email)
  await db.database
    .insert(accounts)
    .values({ provider: 'provider-a', providerAccountId: '1', userId: id })
  expect(await reset(await linkFor(email))).toMatchObject({ outcome: 'done' })
  expect(await signIn(email, newPassword)).toBeDefined()
  expect(await db.database.$count(accounts, eq(accounts.userId, id))).toBe(1)
})

test('removes linked accounts when the email was never verified', async () => {
  const email = 'victim@example.com'
  await db.database.insert(users).values({ email, name: 'Attacker' })
  const { id } = await userOf(email)
  await db.database
    .insert(accounts)
    .values({ provider: 'provider-a', providerAccountId: '666', userId: id })
  expect(await reset(await linkFor(email))).toMatchObject({ outcome: 'done' })
  expect(await db.database.$count(accounts, eq(accounts.userId, id))).toBe(0)
  expect((await userOf(email)).emailVerifiedAt).toBeInstanceOf(Date)
  const verified = and(eq(auditEvents.action, 'verify_email'), eq(auditEvents.targetId, id))
  expect(await db.database.$count(auditEvents, verified)).toBe(1)
})
