import { testDatabase } from '@tests/support/database'
import { everythingIn } from '@tests/support/everything'
import { newScope } from '@tests/support/scope'
import { lastEvent } from '@tests/support/stored'
import { eq } from 'drizzle-orm'
import { afterEach, describe, expect, test } from 'vitest'
import { createLink, findLink } from '@/core/auth/links'
import { findSession } from '@/core/auth/sessions'
import { signInWithPassword } from '@/core/auth/sign-in'
import { auditEvents, mailQueue, sessions } from '@/core/db/schema'
import { isRefusal } from '@/core/guard/action-result'
import { changePassword } from '../data/change-password'
import { newPerson, password, signIn } from './people'

const db = testDatabase()

afterEach(() => db.database.delete(mailQueue))

const newPassword = 'something quite new'
const right = { currentPassword: password, newPassword }

async function changed(...given: Parameters<typeof changePassword>) {
  const result = await changePassword(...given)
  if (isRefusal(result) || result === 'no_password') throw new Error(JSON.stringify(result))
  return result
}

const canSignIn = async (email: string, word: string) =>
  (await signInWithPassword(newScope(), { email, password: word }, 'test')) !== undefined

test('the new one works, the old one does not; every session has ended and a new one is there', async () => {
  const person = await newPerson(db.database)
  const others = [await signIn(db.database, person.user), await signIn(db.database, person.user)]
  const renewed = await changed(person.scope, right, 'Firefox')
  for (const { token } of [person, ...others]) expect(await findSession(token)).toBeUndefined()
  expect(await findSession(renewed.token)).toMatchObject({ user: { id: person.id } })
  const left = await db.database.select().from(sessions).where(eq(sessions.userId, person.id))
  expect(left).toMatchObject([{ userAgent: 'Firefox', address: person.scope.address }])
  expect(await canSignIn(person.email, password)).toBe(false)
  expect(await canSignIn(person.email, newPassword)).toBe(true)
})

test('it is in the trail without a secret, a notice is queued, and links that were sent are dead', async () => {
  const person = await newPerson(db.database)
  const link = { email: person.email, userId: person.id }
  const token = await createLink(db.database, 'reset_password', link)
  const renewed = await changed(person.scope, right, undefined)
  const event = await lastEvent(db.database)
  expect(event).toMatchObject({
    action: 'change_password',
    outcome: 'success',
    actorId: person.id,
    targetId: person.id,
    address: person.scope.address,
    requestId: person.scope.requestId,
  })
  const told = JSON.stringify(event)
  for (const secret of [password, newPassword, renewed.token, person.token]) {
    expect(told).not.toContain(secret)
  }
  expect(await db.database.select().from(mailQueue)).toMatchObject([
    { purpose: 'password_changed', email: person.email },
  ])
  expect(await findLink('reset_password', token)).toBeUndefined()
})

describe('nothing changes', () => {
  test('with a wrong current password, which is a failure in the trail', async () => {
    const { scope, id } = await newPerson(db.database)
    const before = await everythingIn(db.database)
    const wrong = { ...right, currentPassword: 'not the password' }
    expect(await changePassword(scope, wrong, undefined)).toMatchObject({
      code: 'invalid',
      errors: [{ field: 'currentPassword', message: 'This is not your password.' }],
    })
    expect(await everythingIn(db.database)).toBe(before)
    expect(await db.database.$count(mailQueue)).toBe(0)
    expect(await lastEvent(db.database)).toMatchObject({
      action: 'change_password',
      outcome: 'failure',
      actorId: id,
      targetId: id,
      address: scope.address,
      requestId: scope.requestId,
      details: { reason: 'wrong_password' },
    })
  })

  test('with a new one that is too easy, their address, or the one they have', async () => {
    const { scope, email } = await newPerson(db.database)
    const before = await everythingIn(db.database)
    for (const easy of ['password123', email, password]) {
      const result = await changePassword(scope, { ...right, newPassword: easy }, undefined)
      expect(result).toMatchObject({ code: 'invalid', errors: [{ field: 'newPassword' }] })
    }
    expect(await everythingIn(db.database)).toBe(before)
  })

  test('without a password to prove: that account gets its first one by mail', async () => {
    const { scope } = await newPerson(db.database, { password: false, providers: ['one-service'] })
    const before = await everythingIn(db.database)
    expect(await changePassword(scope, right, undefined)).toBe('no_password')
    expect(await everythingIn(db.database)).toBe(before)
  })

  test('when the session has ended since the request began', async () => {
    const { scope, session } = await newPerson(db.database)
    await db.database.delete(sessions).where(eq(sessions.id, session.id))
    const before = await everythingIn(db.database)
    expect(await changePassword(scope, right, undefined)).toMatchObject({ code: 'unauthenticated' })
    expect(await everythingIn(db.database)).toBe(before)
    expect(await lastEvent(db.database)).toMatchObject({ outcome: 'denied' })
  })
})

test('wrong ones count as failed sign-ins do: after ten the right one is refused too', async () => {
  const { scope, email } = await newPerson(db.database)
  const wrong = { ...right, currentPassword: 'not the password' }
  for (let tries = 0; tries < 10; tries += 1) {
    expect(await changePassword(scope, wrong, undefined)).toMatchObject({ code: 'invalid' })
  }
  const before = await everythingIn(db.database)
  expect(await changePassword(scope, right, undefined)).toMatchObject({
    code: 'rate_limited',
    message: expect.stringMatching(/^A wrong password was given too often\. Try again in \d+ min/),
  })
  expect(await everythingIn(db.database)).toBe(before)
  // From another address they are not locked out.
  const elsewhere = { ...scope, address: newScope().address }
  expect(await changed(elsewhere, right, undefined)).toBeDefined()
  expect(await canSignIn(email, newPassword)).toBe(true)
})

test('ten at once from one session: one counts, and all others are told that it has ended', async () => {
  const { scope, id, email } = await newPerson(db.database)
  const words = Array.from({ length: 10 }, (_, index) => `number ${index} of these`)
  const results = await Promise.all(
    words.map((word) => changePassword(scope, { ...right, newPassword: word }, undefined)),
  )
  const winner = results.findIndex((result) => !isRefusal(result))
  const refused = results.filter(isRefusal).map(({ code }) => code)
  expect(refused).toEqual(Array(9).fill('unauthenticated'))
  expect(await canSignIn(email, words[winner] ?? '')).toBe(true)
  const successes = await db.database.select().from(auditEvents).where(eq(auditEvents.targetId, id))
  expect(
    successes.filter(
      ({ action, outcome }) => action === 'change_password' && outcome === 'success',
    ),
  ).toHaveLength(1)
})
