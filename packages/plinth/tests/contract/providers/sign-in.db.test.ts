import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { createDemoAccounts } from '#auth/accounts/users'
import { configuredProviders } from '#auth/oauth/configured-providers'
import { hashToken } from '#auth/sessions/cookie'
import { authSecrets, env } from '#config/env'
import { sessions } from '#db/schema'
import { newClient } from '#testing/client'
import { testDatabase } from '#testing/database/database'
import { databaseRows } from '#testing/database/database-rows'
import {
  authorizeAtProvider,
  followCallback,
  oauthServers,
  signInWith,
  startOAuth,
} from '#testing/oauth/oauth'
import { installed } from '../../support/installed-providers'

const db = testDatabase()
const { configure, newProviderUser } = oauthServers(installed)
const { counts, userOf, accountsOf, lastEvents } = databaseRows(db)

beforeAll(() => createDemoAccounts(db.database))

const cookieName = 'authjs.session-token'

describe.each(installed)('sign-in with $id', ({ id: provider, type, home, settings }) => {
  test('creates a viewer with a verified email', async () => {
    const profile = newProviderUser(provider, { email: `New.User.${provider}@Example.ORG` })
    const client = newClient()
    const response = await signInWith(client, provider, { callbackUrl: '/articles?tab=1' })
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe('/articles?tab=1')
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    const user = await userOf(profile.email.toLowerCase())
    expect(user).toMatchObject({ name: profile.name, role: 'viewer' })
    expect(user?.emailVerifiedAt).toBeInstanceOf(Date)
    expect((await client.session()).user).toEqual({
      id: user?.id,
      email: profile.email.toLowerCase(),
      name: profile.name,
      role: 'viewer',
    })
  })

  test('stores the account without the tokens of the provider', async () => {
    const { id, email } = newProviderUser(provider)
    const client = newClient()
    await signInWith(client, provider)
    const userId = (await userOf(email))?.id ?? ''
    expect(await accountsOf(userId)).toEqual([
      { provider, providerAccountId: id, userId, createdAt: expect.any(Date) },
    ])
  })

  test('stores the session with the hash of the token, the IP and the user agent', async () => {
    newProviderUser(provider)
    const client = newClient()
    const callback = await authorizeAtProvider(await startOAuth(client, provider))
    const headers = { accept: 'text/html', 'user-agent': 'A browser' }
    const response = await client.send(`${callback.pathname}${callback.search}`, { headers })
    const line = response.headers.getSetCookie().find((text) => text.startsWith(cookieName))
    expect(line).toMatch(
      /^authjs\.session-token=[\w-]{43}; Max-Age=\d+; Path=\/; Expires=.* GMT; HttpOnly; SameSite=Lax$/,
    )
    const token = client.cookies.get(cookieName) ?? ''
    const ownRow = eq(sessions.tokenHash, hashToken(token))
    const [row] = await db.database.select().from(sessions).where(ownRow)
    expect(row).toMatchObject({ ip: client.ip, userAgent: 'A browser' })
    const dump = await db.database.select({ all: sql<string>`sessions::text` }).from(sessions)
    expect(JSON.stringify(dump)).not.toContain(token)
  })

  test('is in the audit log after the sign-up', async () => {
    const { email } = newProviderUser(provider)
    const client = newClient()
    await signInWith(client, provider)
    const id = (await userOf(email))?.id
    const event = { outcome: 'success', actorId: id, targetId: id, details: { by: provider } }
    expect(await lastEvents(2)).toMatchObject([
      { action: 'sign_up', ...event, ip: client.ip },
      { action: 'sign_in', ...event, ip: client.ip },
    ])
  })

  test('recognizes a user by the account, not by the email', async () => {
    const profile = newProviderUser(provider)
    await signInWith(newClient(), provider)
    const before = await counts()
    newProviderUser(provider, {
      id: profile.id,
      email: 'viewer@example.com',
      verified: false,
      name: 'Other',
    })
    const client = newClient()
    await signInWith(client, provider)
    expect((await client.session()).user).toMatchObject({
      email: profile.email,
      name: profile.name,
    })
    expect(await counts()).toEqual({ ...before, sessions: before.sessions + 1 })
    expect(await lastEvents(1)).toMatchObject([{ action: 'sign_in', details: { by: provider } }])
  })

  test.each([
    { name: 'x'.repeat(150), stored: 'x'.repeat(100) },
    { name: ' Ann\u0000\n\tLee\u2028 ', stored: 'Ann Lee' },
    { name: `${'x'.repeat(99)}😀`, stored: 'x'.repeat(99) },
    { name: '\u200b \u00a0', stored: undefined },
    { name: null, stored: undefined },
  ])('normalizes the name $name', async ({ name, stored }) => {
    const { id, email } = newProviderUser(provider, { name })
    await signInWith(newClient(), provider)
    // Without a name, plain OAuth falls back to the login.
    const login = type === 'oauth' && name === null ? `login-${id}` : email.split('@')[0]
    expect((await userOf(email))?.name).toBe(stored ?? login)
  })

  test('concurrent sign-ins with one new account create one user', async () => {
    const { email } = newProviderUser(provider)
    const before = await counts()
    const clients = Array.from({ length: 4 }, newClient)
    const flows = await Promise.all(
      clients.map(async (client) => ({
        client,
        callback: await authorizeAtProvider(await startOAuth(client, provider)),
      })),
    )
    const responses = await Promise.all(
      flows.map(({ client, callback }) => followCallback(client, callback)),
    )
    expect(responses.map((response) => response.headers.get('location'))).toEqual([
      '/',
      '/',
      '/',
      '/',
    ])
    const after = await counts()
    expect(after).toEqual({
      users: before.users + 1,
      accounts: before.accounts + 1,
      sessions: before.sessions + 4,
    })
    for (const client of clients) expect((await client.session()).user.email).toBe(email)
  })

  test('rejects one of two concurrent new accounts with the same email', async () => {
    const { email } = newProviderUser(provider)
    const first = newClient()
    const firstBack = await authorizeAtProvider(await startOAuth(first, provider))
    newProviderUser(provider, { email })
    const second = newClient()
    const secondBack = await authorizeAtProvider(await startOAuth(second, provider))
    const responses = await Promise.all([
      followCallback(first, firstBack),
      followCallback(second, secondBack),
    ])
    const locations = responses.map((response) => response.headers.get('location')).sort()
    expect(locations).toEqual(['/', '/sign-in?error=email_in_use'])
  })

  test.each(['closed', 'invite'])('with SIGN_UP=%s accepts existing users only', async (mode) => {
    const existing = newProviderUser(provider)
    await signInWith(newClient(), provider)
    configure({ SIGN_UP: mode })
    const before = await counts()
    newProviderUser(provider)
    const rejected = await signInWith(newClient(), provider)
    expect(rejected.headers.get('location')).toBe('/sign-in?error=sign_up_closed')
    expect(await counts()).toEqual(before)
    expect(await lastEvents(1)).toMatchObject([
      { action: 'sign_up', outcome: 'denied', details: { by: provider, reason: 'sign_up_closed' } },
    ])
    newProviderUser(provider, { id: existing.id })
    const client = newClient()
    await signInWith(client, provider)
    expect((await client.session()).user.email).toBe(existing.email)
  })

  test.each(['https://evil.example/', '//evil.example', 'javascript:alert(1)', '/\\evil.example'])(
    'ignores a callbackUrl on another origin: %s',
    async (callbackUrl) => {
      newProviderUser(provider)
      const response = await signInWith(newClient(), provider, { callbackUrl })
      expect(response.headers.get('location')).toBe('/')
    },
  )

  test('ignores a callbackUrl on another origin in the cookie', async () => {
    newProviderUser(provider)
    const client = newClient()
    const callback = await authorizeAtProvider(await startOAuth(client, provider))
    client.cookies.set(
      `plinth.oauth.${provider}`,
      encodeURIComponent('callbackUrl=https://evil.example'),
    )
    expect((await followCallback(client, callback)).headers.get('location')).toBe('/')
  })

  test('uses state, PKCE, a nonce for OpenID Connect, and SameSite=Lax cookies', async () => {
    const client = newClient()
    const authorizationUrl = await startOAuth(client, provider)
    expect(authorizationUrl.searchParams.get('code_challenge_method')).toBe('S256')
    expect(authorizationUrl.searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/)
    expect(authorizationUrl.searchParams.get('state')).toBeTruthy()
    const openId = type === 'oidc'
    expect(authorizationUrl.searchParams.has('nonce')).toBe(openId)
    expect([...client.cookies.keys()].sort()).toEqual([
      ...(openId ? [`authjs.nonce.${provider}`] : []),
      `authjs.pkce.code_verifier.${provider}`,
      `authjs.state.${provider}`,
      `plinth.oauth.${provider}`,
    ])
    const response = await client.send(`/api/auth/signin/${provider}`, { method: 'POST' })
    for (const line of response.headers.getSetCookie()) {
      expect(line).toMatch(/; Max-Age=900; Path=\/; HttpOnly; SameSite=Lax$/)
    }
  })

  test('passes on a prompt hint and no security parameter', async () => {
    const client = newClient()
    const query =
      'prompt=login&redirect_uri=https://evil.example&client_id=evil&response_mode=form_post'
    const response = await client.send(`/api/auth/signin/${provider}?${query}`, { method: 'POST' })
    const authorizationUrl = new URL(response.headers.get('location') ?? '')
    expect(authorizationUrl.searchParams.get('prompt')).toBe('login')
    expect(authorizationUrl.searchParams.get('client_id')).toBe('plinth')
    expect(authorizationUrl.searchParams.get('redirect_uri')).toBe(
      `http://localhost:3000/api/auth/callback/${provider}`,
    )
    expect(authorizationUrl.searchParams.has('response_mode')).toBe(false)
  })

  test('uses __Host- cookies over https', async () => {
    configure({ AUTH_URL: 'https://app.example.com' })
    const response = await newClient().send(`/api/auth/signin/${provider}`, { method: 'POST' })
    for (const line of response.headers.getSetCookie()) {
      expect(line).toMatch(/^__Host-(authjs|plinth)\./)
      expect(line).toContain('; Secure')
      expect(line).not.toContain('Domain')
    }
    const authorizationUrl = new URL(response.headers.get('location') ?? '')
    expect(authorizationUrl.searchParams.get('redirect_uri')).toBe(
      `https://app.example.com/api/auth/callback/${provider}`,
    )
  })

  test('finishes a flow that started with the previous secret', async () => {
    const resetSecrets = () => authSecrets.clear()
    const { email } = newProviderUser(provider)
    const client = newClient()
    const callback = await authorizeAtProvider(await startOAuth(client, provider))
    const previous = env().AUTH_SECRET ?? ''
    configure({ AUTH_SECRET: 'another-secret-'.repeat(3), AUTH_SECRET_PREVIOUS: previous })
    resetSecrets()
    await followCallback(client, callback)
    expect((await client.session()).user.email).toBe(email)
    configure({})
    resetSecrets()
  })

  test('returns the authorization URL to the Auth.js client', async () => {
    const headers = { 'x-auth-return-redirect': '1' }
    const response = await newClient().send(`/api/auth/signin/${provider}`, {
      method: 'POST',
      headers,
    })
    expect(response.status).toBe(200)
    expect((await response.json()).url).toContain('code_challenge=')
  })

  test('uses the public server without a URL setting', async () => {
    configure({ [settings.url]: '' })
    const [configured] = configuredProviders(env()).filter(({ id }) => id === provider)
    expect(configured?.origin).toBe(new URL(home).origin)
    // OpenID Connect would fetch the discovery document of the public issuer.
    if (type === 'oidc') return
    const authorizationUrl = await startOAuth(newClient(), provider)
    expect(`${authorizationUrl.origin}/`).toBe(new URL(home).href)
    expect(authorizationUrl.pathname).toMatch(/\/authorize$/)
    expect(authorizationUrl.searchParams.get('scope')).toMatch(/email/)
  })

  test('redirects back to the loopback host that started the flow', async () => {
    const start = (host: string) =>
      newClient().send(`/api/auth/signin/${provider}`, { method: 'POST', headers: { host } })
    const authorizationUrl = new URL((await start('127.0.0.1:3000')).headers.get('location') ?? '')
    expect(authorizationUrl.searchParams.get('redirect_uri')).toBe(
      `http://127.0.0.1:3000/api/auth/callback/${provider}`,
    )
    const other = await start('evil.example')
    expect(other.headers.get('location')).toContain(encodeURIComponent('http://localhost:3000/'))
  })
})
