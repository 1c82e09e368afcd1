import { testDatabase } from '@tests/support/database'
import { everythingIn } from '@tests/support/everything'
import { lastEvent } from '@tests/support/stored'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { findSession } from '@/core/auth/sessions'
import { sessions } from '@/core/db/schema'
import { endOtherSessions, endSession, listSessions } from '../data/sessions'
import { newPerson, signIn } from './people'

const db = testDatabase()

test('the list has the one that asks first, then the last seen, and none that ended or is another’s', async () => {
  const person = await newPerson(db.database)
  await newPerson(db.database)
  const [older, newer, expired] = [
    await signIn(db.database, person.user, 'older'),
    await signIn(db.database, person.user, 'newer'),
    await signIn(db.database, person.user, 'expired'),
  ]
  const at = (days: number) => sql`now() - make_interval(days => ${days})`
  for (const [{ session }, days] of [
    [older, 3],
    [newer, 2],
    [person, 5],
  ] as const) {
    await db.database
      .update(sessions)
      .set({ lastSeenAt: at(days) })
      .where(eq(sessions.id, session.id))
  }
  await db.database
    .update(sessions)
    .set({ expiresAt: sql`now() - interval '1 second'` })
    .where(eq(sessions.id, expired.session.id))
  const listed = await listSessions(person.scope, 10)
  expect(listed.map(({ id }) => id)).toEqual(
    [person, newer, older].map(({ session }) => session.id),
  )
  expect(listed.map(({ current }) => current)).toEqual([true, false, false])
  expect(listed[1]).toMatchObject({ userAgent: 'newer', address: '::1' })
  expect(JSON.stringify(listed)).not.toMatch(/token/i)
  expect(await listSessions(person.scope, 2)).toHaveLength(2)
})

test('one can be ended, and is in the trail', async () => {
  const person = await newPerson(db.database)
  const [lost, kept] = [
    await signIn(db.database, person.user),
    await signIn(db.database, person.user),
  ]
  expect(await endSession(person.scope, lost.session.id)).toEqual({ ended: 1 })
  expect(await findSession(lost.token)).toBeUndefined()
  expect(await findSession(kept.token)).toBeDefined()
  expect(await findSession(person.token)).toBeDefined()
  expect(await lastEvent(db.database)).toMatchObject({
    action: 'end_session',
    outcome: 'success',
    actorId: person.id,
    targetId: lost.session.id,
    address: person.scope.address,
    requestId: person.scope.requestId,
  })
})

test('not somebody else’s, nor one that has ended, nor the one in use', async () => {
  const person = await newPerson(db.database)
  const other = await newPerson(db.database)
  const before = await everythingIn(db.database)
  for (const id of [other.session.id, crypto.randomUUID(), person.session.id]) {
    expect(await endSession(person.scope, id)).toMatchObject({ code: 'conflict' })
    expect(await lastEvent(db.database)).toMatchObject({
      action: 'end_session',
      outcome: 'failure',
      actorId: person.id,
    })
  }
  expect(await everythingIn(db.database)).toBe(before)
})

test('all others can be ended; nobody else’s are', async () => {
  const person = await newPerson(db.database)
  const other = await newPerson(db.database)
  const own = [await signIn(db.database, person.user), await signIn(db.database, person.user)]
  expect(await endOtherSessions(person.scope)).toEqual({ ended: 2 })
  for (const { token } of own) expect(await findSession(token)).toBeUndefined()
  for (const { token } of [person, other]) expect(await findSession(token)).toBeDefined()
  expect(await lastEvent(db.database)).toMatchObject({
    action: 'end_other_sessions',
    outcome: 'success',
    actorId: person.id,
    targetId: person.id,
  })
})

test('who has been ended cannot end the others in return', async () => {
  const person = await newPerson(db.database)
  const thief = await signIn(db.database, person.user)
  await endSession(person.scope, thief.session.id)
  const before = await everythingIn(db.database)
  expect(await endOtherSessions(thief.scope)).toMatchObject({ code: 'unauthenticated' })
  expect(await endSession(thief.scope, person.session.id)).toMatchObject({
    code: 'unauthenticated',
  })
  expect(await everythingIn(db.database)).toBe(before)
})
