import { eq } from 'drizzle-orm'
import { createLink, findLink } from 'plinth/auth/accounts/links'
import { signInWithPassword } from 'plinth/auth/passwords/sign-in'
import { findSession } from 'plinth/auth/sessions/cache'
import { auditEvents, mailQueue, sessions } from 'plinth/db/schema'
import { lastEvent, newScope, snapshotDatabase, testDatabase } from 'plinth/testing'
import { isActionError } from 'plinth/universal/action-result'
import { demoPassword } from 'plinth/universal/users'
import { afterEach, describe, expect, test } from 'vitest'
import { changePassword } from '../password-actions'
import { newUser, password, signIn } from './users'

const db = testDatabase()

afterEach(() => db.database.delete(mailQueue))

const newPassword = 'another password entirely'
const valid = { currentPassword: password, newPassword }

async function changeSucceeds(...args: Parameters<typeof changePassword.run>) {
  const result = await changePassword.run(...args)
  if (isActionError(result)) throw new Error(JSON.stringify(result))
  return result
}

const canSignIn = async (email: string, candidate: string) =>
  (await signInWithPassword(newScope(), { email, password: candidate })) !== undefined

test('replaces the password and every session', async () => {
  const viewer = await newUser(db.database)
  const others = [await signIn(db.database, viewer.user), await signIn(db.database, viewer.user)]
  const renewed = await changeSucceeds({ ...viewer.scope, userAgent: 'Firefox' }, valid)
  for (const { token } of [viewer, ...others]) expect(await findSession(token)).toBeUndefined()
  expect(await findSession(renewed.token)).toMatchObject({ user: { id: viewer.id } })
  const remaining = await db.database.select().from(sessions).where(eq(sessions.userId, viewer.id))
  expect(remaining).toMatchObject([{ userAgent: 'Firefox', ip: viewer.scope.ip }])
  expect(await canSignIn(viewer.email, password)).toBe(false)
  expect(await canSignIn(viewer.email, newPassword)).toBe(true)
})

test('audits the change without secrets, queues a notice and deletes earlier links', async () => {
  const viewer = await newUser(db.database)
  const link = { email: viewer.email, userId: viewer.id }
  const token = await createLink(db.database, 'reset_password', link)
  const renewed = await changeSucceeds(viewer.scope, valid)
  const event = await lastEvent(db.database)
  expect(event).toMatchObject({
    action: 'change_password',
    outcome: 'success',
    actorId: viewer.id,
    targetId: viewer.id,
    ip: viewer.scope.ip,
    requestId: viewer.scope.requestId,
  })
  const text = JSON.stringify(event)
  for (const secret of [password, newPassword, renewed.token, viewer.token]) {
    expect(text).not.toContain(secret)
  }
  expect(await db.database.select().from(mailQueue)).toMatchObject([
    { purpose: 'account_changed', email: viewer.email },
  ])
  expect(await findLink('reset_password', token)).toBeUndefined()
})

describe('changes nothing', () => {
  test('with a wrong current password, and audits the failure', async () => {
    const { scope, id } = await newUser(db.database)
    const before = await snapshotDatabase(db.database)
    const invalid = { ...valid, currentPassword: 'not the password' }
    expect(await changePassword.run(scope, invalid)).toMatchObject({
      code: 'invalid',
      errors: [{ field: 'currentPassword', message: 'The password is incorrect.' }],
    })
    expect(await snapshotDatabase(db.database)).toBe(before)
    expect(await db.database.$count(mailQueue)).toBe(0)
    expect(await lastEvent(db.database)).toMatchObject({
      action: 'change_password',
      outcome: 'failure',
      actorId: id,
      targetId: id,
      ip: scope.ip,
      requestId: scope.requestId,
      details: { reason: 'wrong_password' },
    })
  })

  test('with a new password that is easy to guess, or the current one', async () => {
    const { scope, email, user } = await newUser(db.database)
    const before = await snapshotDatabase(db.database)
    for (const weak of [
      'password123',
      email,
      `${user.name}-2026`,
      demoPassword,
      '1qaz2wsx3edc',
      password,
    ]) {
      const result = await changePassword.run(scope, { ...valid, newPassword: weak })
      expect(result).toMatchObject({ code: 'invalid', errors: [{ field: 'newPassword' }] })
    }
    expect(await snapshotDatabase(db.database)).toBe(before)
  })

  test('for an account without a password', async () => {
    const { scope } = await newUser(db.database, { password: false, providers: ['provider-a'] })
    const before = await snapshotDatabase(db.database)
    const bearer = { ...scope, bearer: true }
    await expect(changePassword.run(bearer, valid)).rejects.toThrow('NEXT_REDIRECT')
    expect(await snapshotDatabase(db.database)).toBe(before)
  })

  test('if the session was revoked in the meantime', async () => {
    const { scope, session } = await newUser(db.database)
    await db.database.delete(sessions).where(eq(sessions.id, session.id))
    const before = await snapshotDatabase(db.database)
    expect(await changePassword.run(scope, valid)).toMatchObject({ code: 'unauthenticated' })
    expect(await snapshotDatabase(db.database)).toBe(before)
    expect(await lastEvent(db.database)).toMatchObject({ outcome: 'denied' })
  })
})

test('rejects the right password after ten wrong ones from one IP', async () => {
  const { scope, email } = await newUser(db.database)
  const invalid = { ...valid, currentPassword: 'not the password' }
  for (let count = 0; count < 10; count += 1) {
    expect(await changePassword.run(scope, invalid)).toMatchObject({ code: 'invalid' })
  }
  const before = await snapshotDatabase(db.database)
  expect(await changePassword.run(scope, valid)).toMatchObject({
    code: 'rate_limited',
    message: expect.stringMatching(/^Too many attempts\. Try again in \d+ min/),
  })
  expect(await snapshotDatabase(db.database)).toBe(before)
  // Another IP is not locked out.
  const otherIp = { ...scope, ip: newScope().ip }
  expect(await changeSucceeds(otherIp, valid)).toBeDefined()
  expect(await canSignIn(email, newPassword)).toBe(true)
})

test('one of ten concurrent changes from one session succeeds', async () => {
  const { scope, id, email } = await newUser(db.database)
  const candidates = Array.from({ length: 10 }, (_, index) => `new password number ${index}`)
  const results = await Promise.all(
    candidates.map((newPassword) => changePassword.run(scope, { ...valid, newPassword })),
  )
  const winner = results.findIndex((result) => !isActionError(result))
  const codes = results.filter(isActionError).map(({ code }) => code)
  expect(codes).toEqual(Array(9).fill('unauthenticated'))
  expect(await canSignIn(email, candidates[winner] ?? '')).toBe(true)
  const successes = await db.database.select().from(auditEvents).where(eq(auditEvents.targetId, id))
  expect(
    successes.filter(
      ({ action, outcome }) => action === 'change_password' && outcome === 'success',
    ),
  ).toHaveLength(1)
})
