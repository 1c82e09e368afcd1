import { eq, sql } from 'drizzle-orm'
import { createSession } from 'plinth/auth/sessions/session'
import { sessions } from 'plinth/db/schema'
import { findPage } from 'plinth/http/page-registry'
import type { Scope } from 'plinth/http/scope'
import { installModules } from 'plinth/modules/installed-modules'
import { lastEvent, testDatabase } from 'plinth/testing'
import { createElement } from 'react'
import { renderToReadableStream } from 'react-dom/server.edge'
import { expect, test } from 'vitest'
import { endOtherSessions } from '../actions'
import { listBrowsers, rememberBrowser } from '../data/factors/browsers'
import { createChallenge, findChallenge } from '../data/factors/challenges'
import { module } from '../module'
import { OtherSessions } from '../ui/other-sessions'
import { newUser } from './users'
import '../account/security/page'

const db = testDatabase()

installModules([module])

const signInElsewhere = (user: Awaited<ReturnType<typeof newUser>>['user']) =>
  createSession(db.database, user, { ip: '::1', userAgent: 'Firefox' }, { by: 'password' })

/** How many other sessions the page offers to revoke. */
async function offered(scope: Scope, query = {}) {
  const found = findPage('/account/security')
  const loaded = await found?.preload(scope, { params: {}, query })
  return (loaded as { data: { others: number } }).data.others
}

const changed = { changed: 'factors' }

test('are offered to be revoked after a change of factors, if there are live ones', async () => {
  const { user, scope } = await newUser(db.database)
  await newUser(db.database)
  expect(await offered(scope, changed)).toBe(0)
  const { session } = await signInElsewhere(user)
  await signInElsewhere(user)
  expect(await offered(scope, changed)).toBe(2)
  expect(await offered(scope)).toBe(0)
  expect(await offered(scope, { changed: 'x' })).toBe(0)
  await db.database
    .update(sessions)
    .set({ expiresAt: sql`now() - interval '1 second'` })
    .where(eq(sessions.id, session.id))
  expect(await offered(scope, changed)).toBe(1)
})

test('end with remembered browsers and unfinished sign-ins, and the current one stays', async () => {
  const { id, user, scope } = await newUser(db.database)
  await signInElsewhere(user)
  await rememberBrowser(db.database, scope, id, 'device')
  const challenge = await createChallenge(db.database, { user, by: 'password' })
  expect(await endOtherSessions.run(scope, {})).toEqual({ revoked: 1 })
  const left = await db.database.select().from(sessions).where(eq(sessions.userId, id))
  expect(left).toMatchObject([{ id: scope.session.id }])
  expect(await listBrowsers(id)).toEqual([])
  expect(await findChallenge(challenge)).toBeUndefined()
  expect(await lastEvent(db.database)).toMatchObject({
    action: 'end_other_sessions',
    outcome: 'success',
    actorId: id,
    targetId: id,
  })
})

test('the offer says how many there are, and has a button', async () => {
  const revoke = async () => ({ ok: true as const, data: undefined })
  const render = async (count: number) =>
    new Response(
      await renderToReadableStream(createElement(OtherSessions, { count, revoke })),
    ).text()
  const html = await render(2)
  expect(html).toContain('2 other sessions')
  expect(html).toMatch(/<form.*<button type="submit"[^>]*>Revoke other sessions<.*<\/form>/s)
  expect(await render(1)).toContain('one other session.')
})
