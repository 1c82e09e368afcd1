import { eq, sql } from 'drizzle-orm'
import { findSession } from 'plinth/auth/sessions/cache'
import { sessions } from 'plinth/db/schema'
import { lastEvent, snapshotDatabase, testDatabase } from 'plinth/testing'
import { expect, test } from 'vitest'
import { revokeOtherSessions, revokeSession } from '../actions'
import { listSessions } from '../data/sessions'
import { newUser, signIn } from './users'

const db = testDatabase()

test('lists live sessions of the user, first the current one, then the most recently seen', async () => {
  const viewer = await newUser(db.database)
  await newUser(db.database)
  const [older, newer, expired] = [
    await signIn(db.database, viewer.user, 'older'),
    await signIn(db.database, viewer.user, 'newer'),
    await signIn(db.database, viewer.user, 'expired'),
  ]
  const at = (days: number) => sql`now() - make_interval(days => ${days})`
  for (const [{ session }, days] of [
    [older, 3],
    [newer, 2],
    [viewer, 5],
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
  const { sessions: listed, ...links } = await listSessions(viewer.scope)
  expect(listed.map(({ id }) => id)).toEqual(
    [viewer, newer, older].map(({ session }) => session.id),
  )
  expect(listed.map(({ current }) => current)).toEqual([true, false, false])
  expect(listed[1]).toMatchObject({ userAgent: 'newer', ip: '::1' })
  expect(JSON.stringify(listed)).not.toMatch(/token/i)
  expect(links).toEqual({ next: undefined, previous: undefined })
})

test('revokes one session and audits it', async () => {
  const viewer = await newUser(db.database)
  const [revoked, kept] = [
    await signIn(db.database, viewer.user),
    await signIn(db.database, viewer.user),
  ]
  expect(await revokeSession.run(viewer.scope, { sessionId: revoked.session.id })).toEqual({
    revoked: 1,
  })
  expect(await findSession(revoked.token)).toBeUndefined()
  expect(await findSession(kept.token)).toBeDefined()
  expect(await findSession(viewer.token)).toBeDefined()
  expect(await lastEvent(db.database)).toMatchObject({
    action: 'revoke_session',
    outcome: 'success',
    actorId: viewer.id,
    targetId: revoked.session.id,
    ip: viewer.scope.ip,
    requestId: viewer.scope.requestId,
  })
})

test('rejects sessions of other users, unknown sessions and the current one', async () => {
  const viewer = await newUser(db.database)
  const other = await newUser(db.database)
  const before = await snapshotDatabase(db.database)
  for (const id of [other.session.id, crypto.randomUUID(), viewer.session.id]) {
    expect(await revokeSession.run(viewer.scope, { sessionId: id })).toMatchObject({
      code: 'conflict',
    })
    expect(await lastEvent(db.database)).toMatchObject({
      action: 'revoke_session',
      outcome: 'failure',
      actorId: viewer.id,
    })
  }
  expect(await snapshotDatabase(db.database)).toBe(before)
})

test('revokes all other sessions of the user', async () => {
  const viewer = await newUser(db.database)
  const other = await newUser(db.database)
  const others = [await signIn(db.database, viewer.user), await signIn(db.database, viewer.user)]
  expect(await revokeOtherSessions.run(viewer.scope, {})).toEqual({ revoked: 2 })
  for (const { token } of others) expect(await findSession(token)).toBeUndefined()
  for (const { token } of [viewer, other]) expect(await findSession(token)).toBeDefined()
  expect(await lastEvent(db.database)).toMatchObject({
    action: 'revoke_other_sessions',
    outcome: 'success',
    actorId: viewer.id,
    targetId: viewer.id,
  })
})

test('a revoked session cannot revoke others', async () => {
  const viewer = await newUser(db.database)
  const attacker = await signIn(db.database, viewer.user)
  await revokeSession.run(viewer.scope, { sessionId: attacker.session.id })
  const before = await snapshotDatabase(db.database)
  expect(await revokeOtherSessions.run(attacker.scope, {})).toMatchObject({
    code: 'unauthenticated',
  })
  expect(await revokeSession.run(attacker.scope, { sessionId: viewer.session.id })).toMatchObject({
    code: 'unauthenticated',
  })
  expect(await snapshotDatabase(db.database)).toBe(before)
})
