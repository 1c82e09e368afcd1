import { eq } from 'drizzle-orm'
import { createLink } from 'plinth/auth/accounts/links'
import { createDemoAccounts } from 'plinth/auth/accounts/users'
import { listUserSessions } from 'plinth/auth/sessions/list'
import { createSession } from 'plinth/auth/sessions/session'
import {
  accounts,
  auditEvents,
  mailQueue,
  passwords,
  sessions,
  users,
  verificationTokens,
} from 'plinth/db/schema'
import type { SignedInScope } from 'plinth/guard/policy'
import { queueMail } from 'plinth/mail/mail'
import { lastEvent, signedInScope, testDatabase } from 'plinth/testing'
import { beforeAll, expect, test } from 'vitest'
import { deleteUser, revokeAllUserSessions, revokeUserSession, updateUserRole } from '../../actions'
import { findUser } from '../../data/find-user'

const db = testDatabase()

let admin: SignedInScope

beforeAll(async () => {
  await createDemoAccounts(db.database)
  admin = await signedInScope(db.database, 'admin@example.com')
})

async function newUser() {
  const email = `user-${crypto.randomUUID()}@example.com`
  const [user] = await db.database.insert(users).values({ email, name: 'User' }).returning()
  if (!user) throw new Error('No user was created.')
  const device = { ip: '203.0.113.7', userAgent: 'A browser' }
  await createSession(db.database, user, device, { by: 'password' })
  const { session } = await createSession(db.database, user, device, { by: 'password' })
  await db.database
    .insert(accounts)
    .values({ provider: 'provider-a', providerAccountId: email, userId: user.id })
  return { id: user.id, email, sessionId: session.id }
}

test('changes a role and audits the actor and the new role', async () => {
  const { id } = await newUser()
  expect(await updateUserRole.run(admin, { userId: id, role: 'editor' })).toEqual({
    role: 'editor',
  })
  expect(await findUser(id)).toMatchObject({ role: 'editor' })
  expect(await lastEvent(db.database)).toMatchObject({
    action: 'update_user_role',
    outcome: 'success',
    actorId: admin.session.user.id,
    targetId: id,
    details: { from: 'viewer', role: 'editor' },
  })
})

test('deletes a user with all data, links and queued mail', async () => {
  const { id, email } = await newUser()
  await db.database.insert(passwords).values({ userId: id, hash: '$argon2id$x' })
  await createLink(db.database, 'reset_password', { email, userId: id })
  await createLink(db.database, 'verify_email', { email, userId: null })
  await queueMail(db.database, { purpose: 'reset_password', email })
  expect(await deleteUser.run(admin, { userId: id })).toEqual({ deleted: true })
  expect(await findUser(id)).toBeUndefined()
  for (const table of [sessions, accounts, passwords, verificationTokens] as const) {
    expect(await db.database.$count(table, eq(table.userId, id))).toBe(0)
  }
  const links = eq(verificationTokens.email, email)
  expect(await db.database.$count(verificationTokens, links)).toBe(0)
  expect(await db.database.$count(mailQueue, eq(mailQueue.email, email))).toBe(0)
  for (const late of [
    await deleteUser.run(admin, { userId: id }),
    await updateUserRole.run(admin, { userId: id, role: 'viewer' }),
  ]) {
    expect(late).toMatchObject({ code: 'conflict' })
  }
})

test('rejects an admin who deletes their own account', async () => {
  const own = admin.session.user.id
  const refused = await deleteUser.run(admin, { userId: own })
  expect(refused).toMatchObject({ code: 'conflict' })
  expect(await findUser(own)).toBeDefined()
})

test('rejects the demotion of the last admin with a message', async () => {
  const own = { userId: admin.session.user.id, role: 'viewer', confirmed: true } as const
  const refused = await updateUserRole.run(admin, own)
  expect(refused).toMatchObject({ code: 'conflict' })
  expect(refused).toHaveProperty('message', expect.stringContaining('The last admin'))
  expect(await findUser(admin.session.user.id)).toMatchObject({ role: 'admin' })
  expect(await lastEvent(db.database)).toMatchObject({ outcome: 'failure' })
})

test('revokes one session or all sessions of a user', async () => {
  const { id, sessionId } = await newUser()
  const listed = async () => (await listUserSessions(id, admin.session.id)).sessions
  expect(await listed()).toHaveLength(2)
  expect(await revokeUserSession.run(admin, { userId: id, sessionId })).toEqual({ revoked: 1 })
  const [remaining] = await listed()
  expect(remaining).toMatchObject({ ip: '203.0.113.7', userAgent: 'A browser' })
  expect(remaining?.id).not.toBe(sessionId)
  expect(await revokeUserSession.run(admin, { userId: id, sessionId })).toMatchObject({
    code: 'conflict',
  })
  expect(await revokeAllUserSessions.run(admin, { userId: id })).toEqual({ revoked: 1 })
  expect(await listed()).toEqual([])
  expect(await revokeAllUserSessions.run(admin, { userId: id })).toEqual({ revoked: 0 })
})

test('refuses a role that the user has, and an own demotion that is not confirmed', async () => {
  const { id } = await newUser()
  const before = await db.database.$count(auditEvents)
  expect(await updateUserRole.run(admin, { userId: id, role: 'viewer' })).toMatchObject({
    code: 'conflict',
    message: 'No change: already viewer.',
  })
  const own = { userId: admin.session.user.id, role: 'editor' } as const
  for (const confirmed of [undefined, false]) {
    expect(await updateUserRole.run(admin, { ...own, confirmed })).toMatchObject({
      code: 'invalid',
      errors: [{ field: 'confirmed' }],
    })
  }
  expect(await findUser(own.userId)).toMatchObject({ role: 'admin' })
  expect(await db.database.$count(auditEvents)).toBe(before)
})
