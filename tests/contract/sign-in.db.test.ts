import { sql } from 'drizzle-orm'
import { createDemoAccounts } from 'plinth/auth/accounts/users'
import { hashToken } from 'plinth/auth/sessions/cookie'
import { appConfig } from 'plinth/config/app-config'
import { env, parseEnv } from 'plinth/config/env'
import { sessions } from 'plinth/db/schema'
import { lastEvent, newClient, testDatabase, userIdOf } from 'plinth/testing'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'

const db = testDatabase()

beforeAll(() => createDemoAccounts(db.database))

const cookieName = 'authjs.session-token'
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const defaults = { ...env() }
afterEach(() => {
  Object.assign(env(), defaults)
})

const sessionCount = () => db.database.$count(sessions)

describe('password sign-in', () => {
  test('creates a session with the public fields of the user only', async () => {
    const client = newClient()
    const response = await client.signIn('viewer@example.com')
    expect(response.status).toBe(200)
    const body = await response.json()
    expect(body.url).toBe('/')
    expect(Object.keys(body).sort()).toEqual(['session', 'url'])
    expect(await client.session()).toEqual(body.session)
    const { user, expires } = body.session
    expect(user).toEqual({
      id: expect.stringMatching(uuid),
      email: 'viewer@example.com',
      name: 'Demo Viewer',
      role: 'viewer',
    })
    expect(expires).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const { idle } = appConfig().sessions
    expect((Date.parse(expires) - Date.now()) / idle).toBeCloseTo(1, 2)
  })

  test('sets an HttpOnly, SameSite=Lax cookie', async () => {
    const response = await newClient().signIn('viewer@example.com')
    const [line] = response.headers.getSetCookie()
    expect(line).toMatch(
      /^authjs\.session-token=[\w-]{43}; Max-Age=\d+; Path=\/; Expires=.* GMT; HttpOnly; SameSite=Lax$/,
    )
  })

  test('sets a __Host- cookie over https', async () => {
    // A host of this machine: elsewhere a server refuses to start while the demo password works.
    Object.assign(env(), parseEnv({ AUTH_URL: 'https://localhost:3000' }))
    const response = await newClient().signIn('viewer@example.com')
    const [line] = response.headers.getSetCookie()
    expect(line).toMatch(/^__Host-authjs\.session-token=/)
    expect(line).toContain('; Secure')
    expect(line).not.toContain('Domain')
  })

  test('normalizes the email', async () => {
    for (const email of [' Viewer@Example.com ', 'VIEWER＠example.com']) {
      expect((await newClient().signIn(email)).status).toBe(200)
    }
  })

  test('redirects by default and accepts a plain form', async () => {
    const client = newClient()
    const response = await client.send('/api/auth/signin', {
      method: 'POST',
      body: new URLSearchParams({
        email: 'viewer@example.com',
        password: 'plinth-demo-1',
        callbackUrl: '/articles?tab=1#top',
      }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
    })
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe('/articles?tab=1#top')
    expect((await client.session()).user.email).toBe('viewer@example.com')
  })

  test('returns a token and no cookie with transport bearer', async () => {
    const client = newClient()
    const response = await client.signIn('editor@example.com', undefined, { transport: 'bearer' })
    expect(response.headers.getSetCookie()).toEqual([])
    const { token, session } = await response.json()
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(await client.session({ authorization: `Bearer ${token}` })).toEqual(session)
    expect(await client.session()).toBeNull()
  })

  test('stores only the hash of the token', async () => {
    const client = newClient()
    await client.signIn('viewer@example.com')
    const token = client.cookies.get(cookieName) ?? ''
    const dump = await db.database.select({ all: sql<string>`sessions::text` }).from(sessions)
    const stored = JSON.stringify(dump)
    expect(stored).toContain(hashToken(token).toString('hex'))
    expect(stored).not.toContain(token)
  })

  test('issues a new token and revokes the previous session', async () => {
    const client = newClient()
    await client.signIn('viewer@example.com')
    const first = client.cookies.get(cookieName) ?? ''
    const before = await sessionCount()
    await client.signIn('editor@example.com')
    expect(client.cookies.get(cookieName)).not.toBe(first)
    expect(await sessionCount()).toBe(before)
    const old = newClient()
    old.cookies.set(cookieName, first)
    expect(await old.session()).toBeNull()
  })

  test('is in the audit log with the user, the IP and the request id', async () => {
    const client = newClient()
    await client.post(
      '/api/auth/signin',
      { email: 'admin@example.com', password: 'plinth-demo-1' },
      { 'x-request-id': 'audited' },
    )
    const id = await userIdOf(db.database, 'admin@example.com')
    expect(await lastEvent(db.database)).toMatchObject({
      action: 'sign_in',
      outcome: 'success',
      actorId: id,
      targetId: id,
      ip: client.ip,
      requestId: 'audited',
      details: { by: 'password' },
    })
  })
})

describe('the IP behind a proxy', () => {
  test('is read from X-Forwarded-For only as far as TRUST_PROXY allows', async () => {
    const client = newClient()
    Object.assign(env(), { TRUST_PROXY: 0 })
    await client.signIn('viewer@example.com')
    expect((await lastEvent(db.database))?.ip).toBe('unknown')
    Object.assign(env(), { TRUST_PROXY: 2 })
    await client.send('/api/auth/signin', {
      method: 'POST',
      body: '{"email":"viewer@example.com","password":"plinth-demo-1"}',
      headers: { 'content-type': 'application/json' },
    })
    expect((await lastEvent(db.database))?.ip).toBe(client.ip)
  })
})
