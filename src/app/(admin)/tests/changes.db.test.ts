import { testDatabase } from '@tests/support/database'
import { signedInAs } from '@tests/support/signed-in-as'
import { lastEvent } from '@tests/support/stored'
import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDemoAccounts } from '@/core/auth/demo-accounts'
import { createLink } from '@/core/auth/links'
import { createSession } from '@/core/auth/sessions'
import {
  accounts,
  mailQueue,
  passwords,
  sessions,
  users,
  verificationTokens,
} from '@/core/db/schema'
import { env } from '@/core/env'
import type { SignedInScope } from '@/core/guard/policy'
import { queueMail } from '@/core/mail/queue'
import { deleteUser, endUserSession, endUserSessions, updateUserRole } from '../data/change-users'
import { findUser, providersOf, sessionsOf } from '../data/find-user'
import { invite, listInvitations, withdrawInvitation } from '../data/invitations'

const db = testDatabase()

let admin: SignedInScope

beforeAll(async () => {
  await createDemoAccounts(db.database)
  admin = await signedInAs(db.database, 'admin@example.com')
})

async function newPerson() {
  const email = `person-${crypto.randomUUID()}@example.com`
  const [user] = await db.database.insert(users).values({ email, name: 'Somebody' }).returning()
  if (!user) throw new Error('Nobody was made.')
  const device = { address: '203.0.113.7', userAgent: 'A browser' }
  await createSession(db.database, user, device)
  const { session } = await createSession(db.database, user, device)
  await db.database
    .insert(accounts)
    .values({ provider: 'one-service', providerAccountId: email, userId: user.id })
  return { id: user.id, email, sessionId: session.id }
}

test('a role is changed, and the trail says by whom and to what', async () => {
  const { id } = await newPerson()
  expect(await updateUserRole(admin, id, 'editor')).toEqual({ role: 'editor' })
  expect(await findUser(admin, id)).toMatchObject({ role: 'editor', hasPassword: false })
  expect(await lastEvent(db.database)).toMatchObject({
    action: 'update_user_role',
    outcome: 'success',
    actorId: admin.session.user.id,
    targetId: id,
    details: { role: 'editor' },
  })
})

test('with an account goes everything that is its own, and what waits for its address', async () => {
  const { id, email } = await newPerson()
  await db.database.insert(passwords).values({ userId: id, hash: '$argon2id$x' })
  await createLink(db.database, 'reset_password', { email, userId: id })
  await createLink(db.database, 'verify_email', { email, userId: null })
  await queueMail(db.database, { purpose: 'reset_password', email })
  expect(await deleteUser(admin, id)).toEqual({ deleted: true })
  expect(await findUser(admin, id)).toBeUndefined()
  for (const table of [sessions, accounts, passwords, verificationTokens] as const) {
    expect(await db.database.$count(table, eq(table.userId, id))).toBe(0)
  }
  const left = eq(verificationTokens.email, email)
  expect(await db.database.$count(verificationTokens, left)).toBe(0)
  expect(await db.database.$count(mailQueue, eq(mailQueue.email, email))).toBe(0)
  for (const late of [await deleteUser(admin, id), await updateUserRole(admin, id, 'viewer')]) {
    expect(late).toMatchObject({ code: 'conflict' })
  }
})

test('nobody deletes themselves here', async () => {
  const own = admin.session.user.id
  const refused = await deleteUser(admin, own)
  expect(refused).toMatchObject({ code: 'conflict' })
  expect(await findUser(admin, own)).toBeDefined()
})

test('the last admin stays, and hears why', async () => {
  const refused = await updateUserRole(admin, admin.session.user.id, 'viewer')
  expect(refused).toMatchObject({ code: 'conflict' })
  expect(refused).toHaveProperty('message', expect.stringContaining('The last admin'))
  expect(await findUser(admin, admin.session.user.id)).toMatchObject({ role: 'admin' })
  expect(await lastEvent(db.database)).toMatchObject({ outcome: 'failure' })
})

test('sessions are ended one by one, or all', async () => {
  const { id, sessionId } = await newPerson()
  expect(await providersOf(admin, id)).toEqual(['one-service'])
  expect(await sessionsOf(admin, id)).toHaveLength(2)
  expect(await endUserSession(admin, id, sessionId)).toEqual({ ended: 1 })
  const [left] = await sessionsOf(admin, id)
  expect(left).toMatchObject({ address: '203.0.113.7', userAgent: 'A browser' })
  expect(left?.id).not.toBe(sessionId)
  expect(await endUserSession(admin, id, sessionId)).toMatchObject({ code: 'conflict' })
  expect(await endUserSessions(admin, id)).toEqual({ ended: 1 })
  expect(await sessionsOf(admin, id)).toEqual([])
  expect(await endUserSessions(admin, id)).toEqual({ ended: 0 })
})

describe('invitations', () => {
  beforeEach(async () => {
    Object.assign(env(), { SIGN_UP: 'invite' })
    await db.database.delete(mailQueue)
    await db.database.delete(verificationTokens)
  })

  const email = 'invited@example.com'

  test('wait in the queue, then for whoever got them, until they are withdrawn', async () => {
    expect(await invite(admin, email)).toEqual({ invited: true })
    expect(await listInvitations(admin)).toMatchObject([{ email, expiresAt: undefined }])
    await createLink(db.database, 'invitation', { email, userId: null })
    const [listed] = await listInvitations(admin)
    expect(listed?.expiresAt?.getTime()).toBeGreaterThan(Date.now())
    expect(await withdrawInvitation(admin, email)).toEqual({ withdrawn: true })
    expect(await listInvitations(admin)).toEqual([])
    expect(await withdrawInvitation(admin, email)).toMatchObject({ code: 'conflict' })
  })

  test('go to nobody who has an account', async () => {
    const refused = await invite(admin, 'viewer@example.com')
    expect(refused).toMatchObject({ code: 'conflict', errors: [{ field: 'email' }] })
    expect(await db.database.$count(mailQueue)).toBe(0)
  })

  test('are refused where they would lead to nothing', async () => {
    Object.assign(env(), { SIGN_UP: 'open' })
    expect(await invite(admin, email)).toMatchObject({ code: 'conflict' })
    expect(await db.database.$count(mailQueue)).toBe(0)
  })
})
