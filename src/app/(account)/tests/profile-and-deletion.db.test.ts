import { eq } from 'drizzle-orm'
import { createLink } from 'plinth/auth/accounts/links'
import { findSession } from 'plinth/auth/sessions/cache'
import { accounts, deletedAccountRows, mailQueue, users } from 'plinth/db/schema'
import { queueMail } from 'plinth/mail/mail'
import { changeSignIn } from 'plinth/recovery/changes'
import { giveAllProofs, lastEvent, snapshotDatabase, testDatabase } from 'plinth/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import { deleteAccount, updateProfile } from '../actions'
import { newUser, password, signIn } from './users'

const db = testDatabase()

const findUser = async (id: string) =>
  (await db.database.select().from(users).where(eq(users.id, id)))[0]

test('updates the name of the user, shows it immediately and audits it', async () => {
  const viewer = await newUser(db.database)
  const other = await newUser(db.database)
  expect(await updateProfile.run(viewer.scope, { name: 'New name' })).toEqual({ name: 'New name' })
  expect((await findSession(viewer.token))?.user.name).toBe('New name')
  const stored = await findUser(viewer.id)
  expect(stored?.updatedAt.getTime()).toBeGreaterThan(viewer.user.updatedAt.getTime() - 1)
  expect(await findUser(other.id)).toEqual(other.user)
  const event = await lastEvent(db.database)
  expect(event).toMatchObject({
    action: 'update_profile',
    outcome: 'success',
    actorId: viewer.id,
    targetId: viewer.id,
    ip: viewer.scope.ip,
    requestId: viewer.scope.requestId,
  })
  expect(JSON.stringify(event)).not.toContain('New name')
})

describe('account deletion', () => {
  beforeAll(() => newUser(db.database, { role: 'admin' }))

  test('deletes all data of the user and nothing else, and audits it', async () => {
    const other = await newUser(db.database, { providers: ['provider-a'] })
    const before = await snapshotDatabase(db.database)
    const viewer = await newUser(db.database, { providers: ['provider-a', 'provider-b'] })
    await signIn(db.database, viewer.user)
    const { email, id, scope } = viewer
    await createLink(db.database, 'reset_password', { email, userId: id })
    await createLink(db.database, 'verify_email', { email, userId: null })
    await queueMail(db.database, { purpose: 'reset_password', email })
    const typed = `  ${email.toUpperCase()} `
    const result = await deleteAccount.run(scope, {
      confirmation: typed,
      currentPassword: password,
    })
    expect(result).toEqual({ deleted: true })
    expect(await snapshotDatabase(db.database)).toBe(before)
    expect(await db.database.$count(mailQueue, eq(mailQueue.email, email))).toBe(0)
    expect(await findSession(viewer.token)).toBeUndefined()
    expect(await findSession(other.token)).toBeDefined()
    const event = await lastEvent(db.database)
    expect(event).toMatchObject({
      action: 'delete_account',
      outcome: 'success',
      actorId: id,
      targetId: id,
      ip: scope.ip,
      requestId: scope.requestId,
    })
    expect(JSON.stringify(event)).not.toMatch(new RegExp(`${email}|${password}`))
  })

  test('while a link is alive the owner can undo it, and an email says so', async () => {
    const viewer = await newUser(db.database)
    const { id, email, scope } = viewer
    await db.database.transaction((tx) =>
      changeSignIn(tx, { userId: id }, () =>
        tx.insert(accounts).values({ provider: 'github', providerAccountId: id, userId: id }),
      ),
    )
    await db.database.delete(mailQueue)
    const input = { confirmation: email, currentPassword: password }
    expect(await deleteAccount.run(scope, input)).toEqual({ deleted: true })
    expect(await findUser(id)).toBeUndefined()
    expect(await findSession(viewer.token)).toBeUndefined()
    expect(await lastEvent(db.database)).toMatchObject({
      action: 'delete_account',
      outcome: 'success',
      details: { recoverable: true },
    })
    expect(await db.database.select().from(mailQueue)).toMatchObject([
      { purpose: 'account_changed', email },
    ])
    const isOwn = eq(deletedAccountRows.userId, id)
    expect(await db.database.$count(deletedAccountRows, isOwn)).toBeGreaterThan(0)
  })

  test('requires a proof and the email if there is no password', async () => {
    const { scope, email, id } = await newUser(db.database, { password: false })
    const input = { confirmation: email, currentPassword: undefined }
    const before = await snapshotDatabase(db.database)
    expect(await deleteAccount.run(scope, input)).toMatchObject({
      code: 'proof_required',
      change: 'delete_account',
    })
    expect(await snapshotDatabase(db.database)).toBe(before)
    expect(await lastEvent(db.database)).toMatchObject({
      action: 'delete_account',
      outcome: 'denied',
      details: { reason: 'proof_required' },
    })
    await giveAllProofs(db.database, scope, 'delete_account')
    expect(await deleteAccount.run(scope, input)).toEqual({ deleted: true })
    expect(await findUser(id)).toBeUndefined()
  })

  test('rejects another email and a wrong or missing password', async () => {
    const { scope, email, id } = await newUser(db.database)
    const other = await newUser(db.database)
    const before = await snapshotDatabase(db.database)
    const expectRejected = async (
      confirmation: string,
      typed: string | undefined,
      field: string,
    ) => {
      const input = { confirmation, currentPassword: typed }
      expect(await deleteAccount.run(scope, input)).toMatchObject({
        code: 'invalid',
        errors: [{ field }],
      })
    }
    await expectRejected(other.email, password, 'confirmation')
    await expectRejected('', password, 'confirmation')
    await expectRejected(email, undefined, 'currentPassword')
    await expectRejected(email, 'not the password', 'currentPassword')
    expect(await snapshotDatabase(db.database)).toBe(before)
    expect(await lastEvent(db.database)).toMatchObject({
      action: 'delete_account',
      outcome: 'failure',
      actorId: id,
      details: { reason: 'wrong_password' },
    })
  })

  test('rejects the last admin with a message', async () => {
    await db.database.update(users).set({ role: 'admin' })
    const { scope, email, id } = await newUser(db.database, { role: 'admin' })
    await db.database.delete(users).where(eq(users.role, 'viewer'))
    for (const { id: other } of await db.database.select().from(users)) {
      if (other !== id) await db.database.delete(users).where(eq(users.id, other))
    }
    const before = await snapshotDatabase(db.database)
    const input = { confirmation: email, currentPassword: password }
    expect(await deleteAccount.run(scope, input)).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('last admin'),
    })
    expect(await snapshotDatabase(db.database)).toBe(before)
    expect(await lastEvent(db.database)).toMatchObject({
      action: 'delete_account',
      outcome: 'failure',
      details: { reason: 'conflict' },
    })
  })
})
