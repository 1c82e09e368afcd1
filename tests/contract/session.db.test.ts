import { eq, sql } from 'drizzle-orm'
import { createDemoAccounts } from 'plinth/auth/accounts/users'
import { hashToken } from 'plinth/auth/sessions/cookie'
import { appConfig } from 'plinth/config/app-config'
import { sessions, users } from 'plinth/db/schema'
import { lastEvent, newClient, testDatabase, userIdOf } from 'plinth/testing'
import { beforeAll, describe, expect, test } from 'vitest'

const db = testDatabase()

beforeAll(() => createDemoAccounts(db.database))

const cookieName = 'authjs.session-token'

describe('an anonymous caller', () => {
  test('gets null, no cookie and no-store', async () => {
    const response = await newClient().send('/api/auth/session')
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('null')
    expect(response.headers.getSetCookie()).toEqual([])
    expect(response.headers.get('cache-control')).toBe('private, no-store')
  })

  test.each(['x', 'A'.repeat(43), 'A'.repeat(5000), '%00', '"quoted"'])(
    'gets an invalid session cookie cleared: %s',
    async (token) => {
      const headers = { cookie: `${cookieName}=${token}` }
      const response = await newClient().send('/api/auth/session', { headers })
      expect(await response.text()).toBe('null')
      expect(response.headers.getSetCookie()[0]).toMatch(
        /^authjs\.session-token=; Max-Age=0; Path=\//,
      )
    },
  )
})

describe('a bearer token', () => {
  test('takes precedence over the cookie if it is valid', async () => {
    const client = newClient()
    const bearer = await client.signIn('admin@example.com', undefined, { transport: 'bearer' })
    const { token } = await bearer.json()
    await client.signIn('viewer@example.com')
    const roleWith = async (authorization: string) =>
      (await client.session({ authorization }))?.user.role
    expect(await roleWith(`Bearer ${token}`)).toBe('admin')
    expect(await roleWith(`bearer ${token}`)).toBe('admin')
    for (const invalid of [
      `Bearer ${'A'.repeat(43)}`,
      'Bearer',
      `Basic ${token}`,
      `Bearer ${token} x`,
      '\u00ff',
    ]) {
      expect(await roleWith(invalid)).toBe('viewer')
    }
  })

  test('exempts from the same-origin check only while it is valid', async () => {
    const client = newClient()
    const { token } = await (
      await client.signIn('viewer@example.com', undefined, { transport: 'bearer' })
    ).json()
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const signOut = (authorization: string) =>
      client.post('/api/auth/signout', { redirect: false }, { ...foreign, authorization })
    expect((await signOut('Bearer invalid')).status).toBe(403)
    expect(await client.session({ authorization: `Bearer ${token}` })).not.toBeNull()
    expect((await signOut(`Bearer ${token}`)).status).toBe(200)
    expect((await signOut(`Bearer ${token}`)).status).toBe(403)
  })
})

describe('sign-out', () => {
  test('revokes the session, clears the cookie and is idempotent', async () => {
    const client = newClient()
    await client.signIn('viewer@example.com')
    const token = client.cookies.get(cookieName) ?? ''
    const response = await client.send('/api/auth/signout', { method: 'POST' })
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe('/')
    expect(client.cookies.has(cookieName)).toBe(false)
    expect(await lastEvent(db.database)).toMatchObject({ action: 'sign_out', outcome: 'success' })
    client.cookies.set(cookieName, token)
    expect(await client.session()).toBeNull()
    expect((await client.send('/api/auth/signout', { method: 'POST' })).status).toBe(303)
  })

  test('returns JSON on request', async () => {
    const client = newClient()
    const byField = await client.post('/api/auth/signout', {
      redirect: false,
      callbackUrl: '/goodbye',
    })
    expect(await byField.json()).toEqual({ url: '/goodbye' })
    const byHeader = await client.send('/api/auth/signout', {
      method: 'POST',
      headers: { 'x-auth-return-redirect': '1' },
    })
    expect(await byHeader.json()).toEqual({ url: '/' })
  })
})

describe('a session', () => {
  async function signedIn(email = 'viewer@example.com') {
    const client = newClient()
    await client.signIn(email)
    const token = client.cookies.get(cookieName) ?? ''
    const ownRow = eq(sessions.tokenHash, hashToken(token))
    return {
      client,
      ownRow,
      row: async () => (await db.database.select().from(sessions).where(ownRow))[0],
    }
  }
  const { idle, absolute } = appConfig().sessions
  const inMs = (ms: number) => sql`now() + make_interval(secs => ${ms / 1000})`

  test('that has expired is rejected and deleted', async () => {
    const { deleteExpiredSessions } = await import('plinth/auth/sessions/session')
    const { client, ownRow, row } = await signedIn()
    await db.database
      .update(sessions)
      .set({ expiresAt: sql`now() - interval '1 second'` })
      .where(ownRow)
    expect(await client.session()).toBeNull()
    expect(await deleteExpiredSessions()).toBe(1)
    expect(await row()).toBeUndefined()
  })

  test('is extended with its cookie when that gains enough', async () => {
    const { client, ownRow, row } = await signedIn()
    const before = await row()
    const unchanged = await client.send('/api/auth/session')
    expect(unchanged.headers.getSetCookie()).toEqual([])
    expect(await row()).toEqual(before)

    await db.database
      .update(sessions)
      .set({ expiresAt: inMs(idle * 0.7) })
      .where(ownRow)
    const extended = await client.send('/api/auth/session')
    expect(extended.headers.getSetCookie()[0]).toMatch(/^authjs\.session-token=/)
    const { expires } = await extended.json()
    expect((Date.parse(expires) - Date.now()) / idle).toBeCloseTo(1, 2)
    expect((await row())?.expiresAt.toISOString()).toBe(expires)
  })

  test('is never extended beyond its absolute lifetime', async () => {
    const { client, ownRow, row } = await signedIn()
    const set = { createdAt: inMs(idle * 0.5 - absolute), expiresAt: inMs(idle * 0.1) }
    await db.database.update(sessions).set(set).where(ownRow)
    await client.session()
    const stored = await row()
    const lifetime = (stored?.expiresAt.getTime() ?? 0) - (stored?.createdAt.getTime() ?? 0)
    expect(lifetime / absolute).toBeCloseTo(1, 3)
    expect(lifetime).toBeLessThanOrEqual(absolute)
  })

  test('reflects a role change and a deletion on the next request', async () => {
    await db.database.insert(users).values({ email: 'live@example.com', name: 'Live' })
    const { client, ownRow } = await signedIn()
    const id = await userIdOf(db.database, 'live@example.com')
    await db.database.update(sessions).set({ userId: id }).where(ownRow)
    await db.database.update(users).set({ role: 'editor' }).where(eq(users.id, id))
    expect((await client.session()).user.role).toBe('editor')
    await db.database.delete(users).where(eq(users.id, id))
    expect(await client.session()).toBeNull()
  })
})
