import { eq } from 'drizzle-orm'
import { createDemoAccounts } from 'plinth/auth/accounts/users'
import { createSession } from 'plinth/auth/sessions/session'
import { env } from 'plinth/config/env'
import { mailQueue, sessions, users } from 'plinth/db/schema'
import { isSignedIn, type SignedInScope } from 'plinth/guard/policy'
import { changeSignIn } from 'plinth/recovery/changes'
import { findRecovery } from 'plinth/recovery/frozen-account'
import { lastEvent, signedInScope, testDatabase } from 'plinth/testing'
import { beforeAll, expect, test } from 'vitest'
import { emailRows } from '../../admin/users/[id]/recovery/email-rows'
import { userRows } from '../../admin/users/user-rows'
import { findUsersById } from '../../data/find-user'
import { findActivity } from '../../data/user-activity'
import { allowUserRecovery, openUserRecovery, rejectUserRecovery } from '../../recovery-actions'

const db = testDatabase()
env().AUTH_SECRET ??= 'only-for-tests-'.repeat(3)

let admin: SignedInScope

beforeAll(async () => {
  await createDemoAccounts(db.database)
  admin = await signedInScope(db.database, 'admin@example.com')
})

async function newUser() {
  const name = crypto.randomUUID().slice(0, 8)
  const email = `${name}@example.com`
  const [user] = await db.database.insert(users).values({ email, name }).returning()
  if (!user) throw new Error('No user was created.')
  await createSession(db.database, user, { ip: '203.0.113.7', userAgent: '' }, { by: 'password' })
  return { id: user.id, email, changed: `${name}@example.org` }
}

/** A thief has changed the email. */
async function newVictim() {
  const user = await newUser()
  await db.database.transaction((transaction) =>
    changeSignIn(transaction, { userId: user.id }, () =>
      transaction.update(users).set({ email: user.changed }).where(eq(users.id, user.id)),
    ),
  )
  return user
}

const recoveryOf = (userId: string) => findRecovery(db.database, userId)

const mailTo = async (email: string) => {
  const queued = await db.database.select().from(mailQueue).where(eq(mailQueue.email, email))
  return queued.map(({ purpose }) => purpose)
}

test('an admin freezes an account, and all its emails hear of it', async () => {
  const { id, email, changed } = await newVictim()
  expect(await openUserRecovery.run(admin, { userId: id })).toEqual({ opened: true })
  expect(await recoveryOf(id)).toMatchObject({ state: 'admin', openedBy: [] })
  expect(await db.database.$count(sessions, eq(sessions.userId, id))).toBe(0)
  for (const to of [email, changed]) expect(await mailTo(to)).toContain('recovery_opened')
  expect(await lastEvent(db.database)).toMatchObject({
    action: 'open_user_recovery',
    outcome: 'success',
    actorId: admin.session.user.id,
    targetId: id,
  })
  expect(await openUserRecovery.run(admin, { userId: id })).toMatchObject({
    message: 'This account is already frozen.',
  })
})

test('an account without changes is not frozen, and the admin reads what else to do', async () => {
  const { id } = await newUser()
  expect(await openUserRecovery.run(admin, { userId: id })).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('can reset the password'),
  })
  expect(await recoveryOf(id)).toBeUndefined()
  expect(await db.database.$count(sessions, eq(sessions.userId, id))).toBe(1)
})

test('admins cannot freeze their own account', async () => {
  const { id } = admin.session.user
  expect(await openUserRecovery.run(admin, { userId: id })).toMatchObject({ code: 'conflict' })
  expect(await recoveryOf(id)).toBeUndefined()
})

test('an admin allows an email of the window, and the audit log has none', async () => {
  const { id, email, changed } = await newVictim()
  await openUserRecovery.run(admin, { userId: id })
  const wrong = { userId: id, email: 'another@example.com' }
  expect(await allowUserRecovery.run(admin, wrong)).toMatchObject({ code: 'conflict' })
  expect(await recoveryOf(id)).toMatchObject({ state: 'admin' })
  expect(await allowUserRecovery.run(admin, { userId: id, email })).toEqual({ allowed: true })
  expect(await recoveryOf(id)).toMatchObject({ state: 'allowed', openedBy: [email] })
  expect(await mailTo(email)).toContain('recovery_allowed')
  expect(await mailTo(changed)).not.toContain('recovery_allowed')
  const event = await lastEvent(db.database)
  expect(event).toMatchObject({ action: 'allow_recovery', details: { email: 'earlier' } })
  expect(JSON.stringify(event)).not.toContain('@')
})

test('an admin rejects a recovery, and its emails hear of it', async () => {
  const { id, email, changed } = await newVictim()
  expect(await rejectUserRecovery.run(admin, { userId: id })).toMatchObject({ code: 'conflict' })
  await openUserRecovery.run(admin, { userId: id })
  expect(await rejectUserRecovery.run(admin, { userId: id })).toEqual({ rejected: true })
  expect(await recoveryOf(id)).toBeUndefined()
  for (const to of [email, changed]) expect(await mailTo(to)).toContain('recovery_rejected')
  expect(await lastEvent(db.database)).toMatchObject({ action: 'reject_recovery', targetId: id })
})

test('others, and admins without a recent sign-in, decide nothing', async () => {
  const { id, email } = await newVictim()
  await openUserRecovery.run(admin, { userId: id })
  const before = await recoveryOf(id)
  const editor = await signedInScope(db.database, 'editor@example.com')
  const session = { ...admin.session, authenticatedAt: new Date(Date.now() - 11 * 60_000) }
  const old = { ...admin, session }
  expect(isSignedIn(old)).toBe(true)
  for (const scope of [editor, old as SignedInScope]) {
    for (const refused of [
      await allowUserRecovery.run(scope, { userId: id, email }),
      await rejectUserRecovery.run(scope, { userId: id }),
    ]) {
      expect(refused).toHaveProperty('code')
    }
  }
  expect(await recoveryOf(id)).toEqual(before)
})

test('the list of users marks a frozen account', async () => {
  const { id } = await newVictim()
  const rows = async () => userRows(await findUsersById([id]), await findActivity([id]))
  expect((await rows())[0]).not.toHaveProperty('frozen')
  await openUserRecovery.run(admin, { userId: id })
  expect((await rows())[0]).toMatchObject({ frozen: true })
})

test('each email has its place in the history and its part in the recovery', () => {
  const times = { openedAt: 0, readyAt: 0 }
  const recovery = { ...times, state: 'admin' as const, openedBy: ['a', 'c'] }
  expect(emailRows({ recovery, emails: ['a', 'b', 'c'], current: 'c' })).toEqual([
    { email: 'a', place: 'Before the changes', status: 'Opened it' },
    { email: 'b', place: 'In between', status: 'Has not answered' },
    { email: 'c', place: 'Now', status: 'Objected' },
  ])
})
