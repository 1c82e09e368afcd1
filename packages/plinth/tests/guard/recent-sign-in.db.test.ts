import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createApi } from '#api/api'
import { createDemoAccounts } from '#auth/accounts/users'
import { createSession } from '#auth/sessions/session'
import { sessions, users } from '#db/schema'
import { mutation } from '#guard/mutation'
import { page } from '#guard/page'
import { isSignedIn, type SignedInScope } from '#guard/policy'
import { route } from '#guard/route'
import { findPage } from '#http/page-registry'
import { testDatabase } from '#testing/database/database'
import { lastEvent, snapshotDatabase } from '#testing/database/database-rows'
import { signedInScope } from '#testing/scope'
import { demoPassword } from '#universal/users'
import { agedScope, ageSignIn } from '../support/age-session'

const db = testDatabase()
const email = 'viewer@example.com'

beforeAll(() => createDemoAccounts(db.database))

describe('a mutation', () => {
  const declaration = {
    name: 'rename',
    authorize: isSignedIn,
    rateLimit: { times: 100, seconds: 60 },
    recentSignIn: true as const,
    input: z.object({ name: z.string() }),
  }
  const rename = mutation(declaration, async ({ tx, scope, input, passwordVerified }) => {
    await tx.update(users).set(input).where(eq(users.id, scope.session.user.id))
    return { passwordVerified }
  })
  const input = { name: 'Renamed' }
  let recent: SignedInScope
  let old: SignedInScope
  beforeEach(async () => {
    recent = await signedInScope(db.database, email)
    old = await agedScope(db.database, await signedInScope(db.database, email))
  })

  test('runs after a recent sign-in', async () => {
    expect(await rename.run(recent, input)).toEqual({ passwordVerified: false })
  })

  test('is refused after an old one, changes nothing and is audited', async () => {
    const before = await snapshotDatabase(db.database)
    expect(await rename.run(old, input)).toMatchObject({ code: 'reauthentication_required' })
    expect(await snapshotDatabase(db.database)).toBe(before)
    expect(await lastEvent(db.database)).toMatchObject({
      action: 'rename',
      outcome: 'denied',
      details: { reason: 'reauthentication_required' },
    })
  })

  test('accepts the number of minutes', async () => {
    const patient = mutation({ ...declaration, recentSignIn: 12 }, async () => 'done')
    const strict = mutation({ ...declaration, recentSignIn: 5 }, async () => 'done')
    expect(await patient.run(old, input)).toBe('done')
    const { session } = recent
    const sixMinutesAgo = new Date(Date.now() - 6 * 60_000)
    const scope = { ...recent, session: { ...session, authenticatedAt: sixMinutesAgo } }
    expect(await strict.run(scope, input)).toMatchObject({ code: 'reauthentication_required' })
  })

  test('accepts the current password for this call only', async () => {
    const proven = { ...input, currentPassword: demoPassword }
    expect(await rename.run(old, proven)).toEqual({ passwordVerified: true })
    expect(await rename.run(old, input)).toMatchObject({ code: 'reauthentication_required' })
    const [stored] = await db.database
      .select()
      .from(sessions)
      .where(eq(sessions.id, old.session.id))
    expect(stored?.authenticatedAt.getTime()).toBeLessThan(Date.now() - 10 * 60_000)
  })

  test.each(['old', 'recent'])('refuses a wrong password after %s sign-in', async (sign) => {
    const before = await snapshotDatabase(db.database)
    const wrong = { ...input, currentPassword: 'a wrong password' }
    expect(await rename.run(sign === 'old' ? old : recent, wrong)).toMatchObject({
      code: 'reauthentication_required',
      errors: [{ field: 'currentPassword', message: 'The password is incorrect.' }],
    })
    expect(await snapshotDatabase(db.database)).toBe(before)
    expect(await lastEvent(db.database)).toMatchObject({ action: 'rename', outcome: 'failure' })
  })

  test('with a password field needs it from every user who has a password', async () => {
    const strict = mutation(
      { ...declaration, input: z.object({ currentPassword: z.string().optional() }) },
      async () => 'done',
    )
    expect(await strict.run(recent, {})).toMatchObject({
      code: 'invalid',
      errors: [{ field: 'currentPassword', message: 'Enter your password.' }],
    })
    expect(await strict.run(old, { currentPassword: demoPassword })).toBe('done')
  })
})

describe('a route', () => {
  const api = createApi([
    {
      id: 'test',
      api: [
        route(
          {
            method: 'get',
            path: '/export',
            name: 'export',
            summary: 'Test',
            authorize: isSignedIn,
            recentSignIn: true,
            returnTo: '/things',
            responses: { 200: { description: 'Done.', body: z.strictObject({ ok: z.boolean() }) } },
          },
          () => ({ ok: true }),
        ),
      ],
    },
  ])

  async function send(accept: string, aged: boolean) {
    const [user] = await db.database.select().from(users).where(eq(users.email, email))
    if (!user) throw new Error('No user was found.')
    const device = { ip: '127.0.0.1' }
    const { token } = await createSession(db.database, user, device, { by: 'password' })
    if (aged) await ageSignIn(db.database, user.id)
    const headers = { accept, cookie: `authjs.session-token=${token}` }
    return api.request('/api/export?year=2026', { headers })
  }

  test('answers 403 reauthentication_required after an old sign-in', async () => {
    expect((await send('*/*', false)).status).toBe(200)
    const refused = await send('*/*', true)
    expect(refused.status).toBe(403)
    expect(await refused.json()).toMatchObject({ code: 'reauthentication_required' })
  })

  test('leads a browser to /confirm and back to the page with the link', async () => {
    const refused = await send('text/html', true)
    expect(refused.status).toBe(303)
    expect(refused.headers.get('location')).toBe('/confirm?callbackUrl=%2Fthings%3Fyear%3D2026')
  })
})

test('a page leads to /confirm and back', async () => {
  page(
    {
      name: 'view_test',
      path: '/test/[id]',
      authorize: isSignedIn,
      recentSignIn: true,
      params: z.object({ id: z.string() }),
    },
    () => null,
  )
  const preload = findPage('/test/7')?.preload
  const request = { params: { id: '7' }, query: { tab: 'a' } }
  const scope = await signedInScope(db.database, email)
  await expect(preload?.(scope, request)).resolves.toMatchObject({ params: { id: '7' } })
  await expect(preload?.(await agedScope(db.database, scope), request)).rejects.toMatchObject({
    digest: expect.stringContaining(';/confirm?callbackUrl=%2Ftest%2F7%3Ftab%3Da;'),
  })
})

test('an anonymous caller is sent to sign in, not to confirm', async () => {
  const preload = findPage('/test/7')?.preload
  const anonymous = { session: undefined, bearer: false, ip: '127.0.0.1', requestId: 'test' }
  await expect(preload?.(anonymous, { params: { id: '7' }, query: {} })).rejects.toMatchObject({
    digest: expect.stringContaining(';/sign-in?'),
  })
})
