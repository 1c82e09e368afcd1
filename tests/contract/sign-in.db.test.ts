import { desc, eq, sql } from 'drizzle-orm'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createDemoAccounts } from '@/core/auth/demo-accounts'
import { hashToken } from '@/core/auth/token'
import { auditEvents, sessions, users } from '@/core/db/schema'
import { env, parseEnv } from '@/core/env'
import { newClient } from '../support/client'
import { testDatabase } from '../support/database'

const db = testDatabase()

beforeAll(() => createDemoAccounts(db.database))

const cookieName = 'authjs.session-token'
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const defaults = { ...env() }
afterEach(() => {
  Object.assign(env(), defaults)
})

const sessionCount = () => db.database.$count(sessions)

async function lastEvent() {
  const [event] = await db.database
    .select()
    .from(auditEvents)
    .orderBy(desc(auditEvents.id))
    .limit(1)
  return event
}

async function idOf(email: string): Promise<string> {
  const [user] = await db.database.select().from(users).where(eq(users.email, email))
  return user?.id ?? ''
}

describe('nobody', () => {
  test('has the session null, gets no cookie, and nothing may be kept', async () => {
    const response = await newClient().send('/api/auth/session')
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('null')
    expect(response.headers.getSetCookie()).toEqual([])
    expect(response.headers.get('cache-control')).toBe('private, no-store')
  })

  test.each(['x', 'A'.repeat(43), 'A'.repeat(5000), '%00', '"quoted"'])(
    'a cookie that names no session is cleared: %s',
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

describe('signing in', () => {
  test('makes a session that says who it is and nothing else', async () => {
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
    const days = (Date.parse(expires) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(29.9)
    expect(days).toBeLessThan(30.1)
  })

  test('sets a cookie that scripts cannot read and other sites do not send', async () => {
    const response = await newClient().signIn('viewer@example.com')
    const [line] = response.headers.getSetCookie()
    expect(line).toMatch(
      /^authjs\.session-token=[\w-]{43}; Path=\/; Expires=.* GMT; HttpOnly; SameSite=Lax$/,
    )
  })

  test('over https the cookie is bound to this host', async () => {
    Object.assign(env(), parseEnv({ AUTH_URL: 'https://app.example.com' }))
    const response = await newClient().signIn('viewer@example.com')
    const [line] = response.headers.getSetCookie()
    expect(line).toMatch(/^__Host-authjs\.session-token=/)
    expect(line).toContain('; Secure')
    expect(line).not.toContain('Domain')
  })

  test('takes the address in any form of it', async () => {
    for (const email of [' Viewer@Example.com ', 'VIEWER＠example.com']) {
      expect((await newClient().signIn(email)).status).toBe(200)
    }
  })

  test('redirects unless told not to, and takes a plain form', async () => {
    const client = newClient()
    const response = await client.send('/api/auth/signin', {
      method: 'POST',
      body: new URLSearchParams({
        email: 'viewer@example.com',
        password: 'plinth-demo-1',
        callbackUrl: '/account?tab=1#top',
      }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
    })
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe('/account?tab=1#top')
    expect((await client.session()).user.email).toBe('viewer@example.com')
  })

  test('with transport bearer gives a token and no cookie', async () => {
    const client = newClient()
    const response = await client.signIn('editor@example.com', undefined, { transport: 'bearer' })
    expect(response.headers.getSetCookie()).toEqual([])
    const { token, session } = await response.json()
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(await client.session({ authorization: `Bearer ${token}` })).toEqual(session)
    expect(await client.session()).toBeNull()
  })

  test('stores the hash of the token and never the token', async () => {
    const client = newClient()
    await client.signIn('viewer@example.com')
    const token = client.cookies.get(cookieName) ?? ''
    const dump = await db.database.select({ all: sql<string>`sessions::text` }).from(sessions)
    const everything = JSON.stringify(dump)
    expect(everything).toContain(hashToken(token).toString('hex'))
    expect(everything).not.toContain(token)
  })

  test('gives a new token each time and ends the session that was', async () => {
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

  test('is in the audit trail with who, whence and which request', async () => {
    const client = newClient()
    await client.post(
      '/api/auth/signin',
      { email: 'admin@example.com', password: 'plinth-demo-1' },
      { 'x-request-id': 'audited' },
    )
    const id = await idOf('admin@example.com')
    expect(await lastEvent()).toMatchObject({
      action: 'sign_in',
      outcome: 'success',
      actorId: id,
      targetId: id,
      address: client.address,
      requestId: 'audited',
      details: { by: 'password' },
    })
  })
})

describe('a sign-in that fails', () => {
  test('tells the same for an unknown address and a wrong password', async () => {
    const before = await sessionCount()
    const answers = []
    for (const email of ['viewer@example.com', 'nobody@example.com', 'not an address']) {
      const response = await newClient().signIn(email, 'wrong password')
      expect(response.status).toBe(401)
      expect(response.headers.getSetCookie()).toEqual([])
      const { requestId, ...body } = await response.json()
      answers.push(JSON.stringify(body))
    }
    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).toContain('"code":"invalid_credentials"')
    expect(await sessionCount()).toBe(before)
  })

  test('is in the audit trail without what was typed', async () => {
    await newClient().signIn('viewer@example.com', 'my-other-password')
    const event = await lastEvent()
    expect(event).toMatchObject({
      action: 'sign_in',
      outcome: 'failure',
      actorId: null,
      targetId: await idOf('viewer@example.com'),
    })
    await newClient().signIn('secret-typed-here', 'x')
    expect(JSON.stringify(await lastEvent())).not.toMatch(/secret-typed-here|my-other-password/)
  })

  test('sends a person at a form back to it, with where they were going', async () => {
    const response = await newClient().send('/api/auth/signin', {
      method: 'POST',
      body: 'email=viewer%40example.com&password=wrong&callbackUrl=%2Faccount',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
      },
    })
    expect(response.status).toBe(303)
    const location = response.headers.get('location')
    expect(location).toBe('/sign-in?error=invalid_credentials&callbackUrl=%2Faccount')
    const [cookie, ...more] = response.headers.getSetCookie()
    expect(more).toEqual([])
    expect(cookie).toMatch(
      /^plinth\.typed-email=viewer%40example\.com; Max-Age=60; Path=\/; HttpOnly/,
    )
    expect(cookie).not.toContain('wrong')
  })

  test('sends a person back to the form for every other reason too', async () => {
    const client = newClient()
    const submit = (body: string) =>
      client.send('/api/auth/signin', {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
      })
    const missing = await submit('email=&password=')
    expect(missing.headers.get('location')).toBe('/sign-in?error=validation_failed')
    for (let count = 0; count < 10; count += 1) await submit('email=a&password=b')
    const limited = await submit('email=a&password=b')
    expect(limited.headers.get('location')).toBe('/sign-in?error=rate_limited')
  })

  test('names the fields that are missing', async () => {
    const response = await newClient().post('/api/auth/signin', { email: '', redirect: 'perhaps' })
    expect(response.status).toBe(422)
    const { errors } = await response.json()
    expect(errors.map(({ field }: { field: string }) => field)).toEqual([
      'email',
      'password',
      'redirect',
    ])
  })

  test('ten times from one address: then even the right password waits', async () => {
    const client = newClient()
    for (let count = 0; count < 10; count += 1) {
      expect((await client.signIn(`person${count}@example.com`, 'wrong')).status).toBe(401)
    }
    const before = await sessionCount()
    const refused = await client.signIn('viewer@example.com')
    expect(refused.status).toBe(429)
    expect((await refused.json()).code).toBe('rate_limited')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(500)
    expect(refused.headers.get('ratelimit-limit')).toBe('10')
    expect(refused.headers.get('ratelimit-remaining')).toBe('0')
    expect(await sessionCount()).toBe(before)
    // Another person, elsewhere, is not locked out by it.
    expect((await newClient().signIn('viewer@example.com')).status).toBe(200)
  })

  test('many at once cannot slip through the limit', async () => {
    const client = newClient()
    const tries = Array.from({ length: 30 }, () => client.signIn('viewer@example.com', 'wrong'))
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(20)
  })

  test('does not count against those who succeed', async () => {
    const client = newClient()
    for (let count = 0; count < 15; count += 1) {
      expect((await client.signIn('viewer@example.com')).status).toBe(200)
    }
  })
})

describe('the address behind a proxy', () => {
  test('counts only as far as proxies are trusted', async () => {
    const client = newClient()
    Object.assign(env(), { TRUST_PROXY: 0 })
    await client.signIn('viewer@example.com')
    expect((await lastEvent())?.address).toBe('unknown')
    Object.assign(env(), { TRUST_PROXY: 2 })
    await client.send('/api/auth/signin', {
      method: 'POST',
      body: '{"email":"viewer@example.com","password":"plinth-demo-1"}',
      headers: { 'content-type': 'application/json' },
    })
    expect((await lastEvent())?.address).toBe(client.address)
  })
})

describe('a bearer token', () => {
  test('that is alive wins over the cookie; a dead or odd one leaves it to the cookie', async () => {
    const client = newClient()
    const bearer = await client.signIn('admin@example.com', undefined, { transport: 'bearer' })
    const { token } = await bearer.json()
    await client.signIn('viewer@example.com')
    const roleWith = async (authorization: string) =>
      (await client.session({ authorization }))?.user.role
    expect(await roleWith(`Bearer ${token}`)).toBe('admin')
    expect(await roleWith(`bearer ${token}`)).toBe('admin')
    for (const odd of [
      `Bearer ${'A'.repeat(43)}`,
      'Bearer',
      `Basic ${token}`,
      `Bearer ${token} x`,
      '\u00ff',
    ]) {
      expect(await roleWith(odd)).toBe('viewer')
    }
  })

  test('exempts from the same-origin rule only while it is alive', async () => {
    const client = newClient()
    const { token } = await (
      await client.signIn('viewer@example.com', undefined, { transport: 'bearer' })
    ).json()
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const signOut = (authorization: string) =>
      client.post('/api/auth/signout', { redirect: false }, { ...foreign, authorization })
    expect((await signOut('Bearer nothing')).status).toBe(403)
    expect(await client.session({ authorization: `Bearer ${token}` })).not.toBeNull()
    expect((await signOut(`Bearer ${token}`)).status).toBe(200)
    expect((await signOut(`Bearer ${token}`)).status).toBe(403)
  })
})

describe('signing out', () => {
  test('ends the session, clears the cookie, and can be said again', async () => {
    const client = newClient()
    await client.signIn('viewer@example.com')
    const token = client.cookies.get(cookieName) ?? ''
    const response = await client.send('/api/auth/signout', { method: 'POST' })
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe('/')
    expect(client.cookies.has(cookieName)).toBe(false)
    expect(await lastEvent()).toMatchObject({ action: 'sign_out', outcome: 'success' })
    client.cookies.set(cookieName, token)
    expect(await client.session()).toBeNull()
    expect((await client.send('/api/auth/signout', { method: 'POST' })).status).toBe(303)
  })

  test('answers as JSON when asked to', async () => {
    const client = newClient()
    const asked = await client.post('/api/auth/signout', { redirect: false, callbackUrl: '/bye' })
    expect(await asked.json()).toEqual({ url: '/bye' })
    const likeAuthJs = await client.send('/api/auth/signout', {
      method: 'POST',
      headers: { 'x-auth-return-redirect': '1' },
    })
    expect(await likeAuthJs.json()).toEqual({ url: '/' })
  })
})

describe('a session', () => {
  async function signedIn(email = 'viewer@example.com') {
    const client = newClient()
    await client.signIn(email)
    const token = client.cookies.get(cookieName) ?? ''
    const mine = eq(sessions.tokenHash, hashToken(token))
    return {
      client,
      mine,
      row: async () => (await db.database.select().from(sessions).where(mine))[0],
    }
  }
  const inDays = (days: number) => sql`now() + make_interval(days => ${days})`

  test('that has expired is nobody’s, and is swept', async () => {
    const { sweepSessions } = await import('@/core/auth/sessions')
    const { client, mine, row } = await signedIn()
    await db.database
      .update(sessions)
      .set({ expiresAt: sql`now() - interval '1 second'` })
      .where(mine)
    expect(await client.session()).toBeNull()
    expect(await sweepSessions()).toBe(1)
    expect(await row()).toBeUndefined()
  })

  test('slides by at most one write a day, with its cookie', async () => {
    const { client, mine, row } = await signedIn()
    const before = await row()
    const fresh = await client.send('/api/auth/session')
    expect(fresh.headers.getSetCookie()).toEqual([])
    expect(await row()).toEqual(before)

    await db.database
      .update(sessions)
      .set({ expiresAt: inDays(20) })
      .where(mine)
    const extended = await client.send('/api/auth/session')
    expect(extended.headers.getSetCookie()[0]).toMatch(/^authjs\.session-token=/)
    const { expires } = await extended.json()
    expect((Date.parse(expires) - Date.now()) / 86_400_000).toBeGreaterThan(29.9)
    expect((await row())?.expiresAt.toISOString()).toBe(expires)
  })

  test('is never extended beyond ninety days', async () => {
    const { client, mine, row } = await signedIn()
    const set = { createdAt: inDays(-85), expiresAt: inDays(1) }
    await db.database.update(sessions).set(set).where(mine)
    await client.session()
    const kept = await row()
    const days = ((kept?.expiresAt.getTime() ?? 0) - (kept?.createdAt.getTime() ?? 0)) / 86_400_000
    expect(days).toBeGreaterThan(89.9)
    expect(days).toBeLessThanOrEqual(90)
  })

  test('sees a new role and a deletion on the very next request', async () => {
    await db.database.insert(users).values({ email: 'live@example.com', name: 'Live' })
    const { client, mine } = await signedIn()
    const id = await idOf('live@example.com')
    await db.database.update(sessions).set({ userId: id }).where(mine)
    await db.database.update(users).set({ role: 'editor' }).where(eq(users.id, id))
    expect((await client.session()).user.role).toBe('editor')
    await db.database.delete(users).where(eq(users.id, id))
    expect(await client.session()).toBeNull()
  })
})
