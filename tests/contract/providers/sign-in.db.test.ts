import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { createDemoAccounts } from '@/core/auth/demo-accounts'
import { installed } from '@/core/auth/providers/installed'
import { hashToken } from '@/core/auth/token'
import { sessions } from '@/core/db/schema'
import { env } from '@/core/env'
import { newClient } from '../../support/client'
import { testDatabase } from '../../support/database'
import { comeBack, leave, signInWith, visitProvider } from '../../support/providers/browser'
import { oauthServers } from '../../support/providers/oauth'
import { storedIn } from '../../support/stored'

const db = testDatabase()
const { configure, newPerson } = oauthServers()
const { counts, userOf, accountsOf, lastEvents } = storedIn(db)

beforeAll(() => createDemoAccounts(db.database))

const cookieName = 'authjs.session-token'

describe.each(installed)('signing in with $id', ({ id: kind, type, home, settings }) => {
  test('makes a viewer of somebody new, whose address is verified', async () => {
    const person = newPerson(kind, { email: 'New.Person.%@Example.ORG'.replace('%', kind) })
    const client = newClient()
    const response = await signInWith(client, kind, { callbackUrl: '/elsewhere?tab=1' })
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe('/elsewhere?tab=1')
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    const user = await userOf(person.email.toLowerCase())
    expect(user).toMatchObject({ name: person.name, role: 'viewer' })
    expect(user?.emailVerifiedAt).toBeInstanceOf(Date)
    expect((await client.session()).user).toEqual({
      id: user?.id,
      email: person.email.toLowerCase(),
      name: person.name,
      role: 'viewer',
    })
  })

  test('keeps the account and nothing that the provider gave', async () => {
    const { id, email } = newPerson(kind)
    const client = newClient()
    await signInWith(client, kind)
    const userId = (await userOf(email))?.id ?? ''
    expect(await accountsOf(userId)).toEqual([
      { provider: kind, providerAccountId: id, userId, createdAt: expect.any(Date) },
    ])
  })

  test('stores the session as a password does: hashed, with whence', async () => {
    newPerson(kind)
    const client = newClient()
    const back = await visitProvider(await leave(client, kind))
    const headers = { accept: 'text/html', 'user-agent': 'A browser' }
    const response = await client.send(`${back.pathname}${back.search}`, { headers })
    const line = response.headers.getSetCookie().find((text) => text.startsWith(cookieName))
    expect(line).toMatch(
      /^authjs\.session-token=[\w-]{43}; Path=\/; Expires=.* GMT; HttpOnly; SameSite=Lax$/,
    )
    const token = client.cookies.get(cookieName) ?? ''
    const mine = eq(sessions.tokenHash, hashToken(token))
    const [row] = await db.database.select().from(sessions).where(mine)
    expect(row).toMatchObject({ address: client.address, userAgent: 'A browser' })
    const dump = await db.database.select({ all: sql<string>`sessions::text` }).from(sessions)
    expect(JSON.stringify(dump)).not.toContain(token)
  })

  test('is in the audit trail, first as a sign-up', async () => {
    const { email } = newPerson(kind)
    const client = newClient()
    await signInWith(client, kind)
    const id = (await userOf(email))?.id
    const about = { outcome: 'success', actorId: id, targetId: id, details: { by: kind } }
    expect(await lastEvents(2)).toMatchObject([
      { action: 'sign_up', ...about, address: client.address },
      { action: 'sign_in', ...about, address: client.address },
    ])
  })

  test('knows a person again by the account, whatever became of the address', async () => {
    const person = newPerson(kind)
    await signInWith(newClient(), kind)
    const before = await counts()
    newPerson(kind, { id: person.id, email: 'viewer@example.com', verified: false, name: 'Other' })
    const client = newClient()
    await signInWith(client, kind)
    expect((await client.session()).user).toMatchObject({ email: person.email, name: person.name })
    expect(await counts()).toEqual({ ...before, sessions: before.sessions + 1 })
    expect(await lastEvents(1)).toMatchObject([{ action: 'sign_in', details: { by: kind } }])
  })

  test.each([
    { name: 'x'.repeat(150), stored: 'x'.repeat(100) },
    { name: ' Ann\u0000\n\tLee\u2028 ', stored: 'Ann Lee' },
    { name: `${'x'.repeat(99)}😀`, stored: 'x'.repeat(99) },
    { name: '\u200b \u00a0', stored: undefined },
    { name: null, stored: undefined },
  ])('a name is made to fit: $name', async ({ name, stored }) => {
    const { id, email } = newPerson(kind, { name })
    await signInWith(newClient(), kind)
    // Without a name there is a login all the same, where the server is asked.
    const login = type === 'oauth' && name === null ? `login-${id}` : email.split('@')[0]
    expect((await userOf(email))?.name).toBe(stored ?? login)
  })

  test('two who come back at once for one new account become one person', async () => {
    const { email } = newPerson(kind)
    const before = await counts()
    const clients = Array.from({ length: 4 }, newClient)
    const returns = await Promise.all(
      clients.map(async (client) => ({
        client,
        back: await visitProvider(await leave(client, kind)),
      })),
    )
    const answers = await Promise.all(returns.map(({ client, back }) => comeBack(client, back)))
    expect(answers.map((answer) => answer.headers.get('location'))).toEqual(['/', '/', '/', '/'])
    const after = await counts()
    expect(after).toEqual({
      users: before.users + 1,
      accounts: before.accounts + 1,
      sessions: before.sessions + 4,
    })
    for (const client of clients) expect((await client.session()).user.email).toBe(email)
  })

  test('two new accounts with one address at once: one gets it', async () => {
    const { email } = newPerson(kind)
    const first = newClient()
    const firstBack = await visitProvider(await leave(first, kind))
    newPerson(kind, { email })
    const second = newClient()
    const secondBack = await visitProvider(await leave(second, kind))
    const answers = await Promise.all([comeBack(first, firstBack), comeBack(second, secondBack)])
    const ends = answers.map((answer) => answer.headers.get('location')).sort()
    expect(ends).toEqual(['/', '/sign-in?error=email_in_use'])
  })

  test.each(['closed', 'invite'])(
    'with SIGN_UP=%s only those who are here already',
    async (mode) => {
      const known = newPerson(kind)
      await signInWith(newClient(), kind)
      configure({ SIGN_UP: mode })
      const before = await counts()
      newPerson(kind)
      const refused = await signInWith(newClient(), kind)
      expect(refused.headers.get('location')).toBe('/sign-in?error=sign_up_closed')
      expect(await counts()).toEqual(before)
      expect(await lastEvents(1)).toMatchObject([
        { action: 'sign_up', outcome: 'denied', details: { by: kind, reason: 'sign_up_closed' } },
      ])
      newPerson(kind, { id: known.id })
      const client = newClient()
      await signInWith(client, kind)
      expect((await client.session()).user.email).toBe(known.email)
    },
  )

  test.each(['https://evil.example/', '//evil.example', 'javascript:alert(1)', '/\\evil.example'])(
    'a callbackUrl that leads elsewhere leads home: %s',
    async (callbackUrl) => {
      newPerson(kind)
      const response = await signInWith(newClient(), kind, { callbackUrl })
      expect(response.headers.get('location')).toBe('/')
    },
  )

  test('the note of where to go is not believed either', async () => {
    newPerson(kind)
    const client = newClient()
    const back = await visitProvider(await leave(client, kind))
    client.cookies.set(
      `plinth.journey.${kind}`,
      encodeURIComponent('callbackUrl=https://evil.example'),
    )
    expect((await comeBack(client, back)).headers.get('location')).toBe('/')
  })

  test('the provider is asked with state and PKCE, and cookies that are Lax', async () => {
    const client = newClient()
    const door = await leave(client, kind)
    expect(door.searchParams.get('code_challenge_method')).toBe('S256')
    expect(door.searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/)
    expect(door.searchParams.get('state')).toBeTruthy()
    expect([...client.cookies.keys()].sort()).toEqual([
      `authjs.pkce.code_verifier.${kind}`,
      `authjs.state.${kind}`,
      `plinth.journey.${kind}`,
    ])
    const response = await client.send(`/api/auth/signin/${kind}`, { method: 'POST' })
    for (const line of response.headers.getSetCookie()) {
      expect(line).toMatch(/; Max-Age=900; Path=\/; HttpOnly; SameSite=Lax$/)
    }
  })

  test('a caller may add a hint, and nothing that changes the question', async () => {
    const client = newClient()
    const query =
      'prompt=login&redirect_uri=https://evil.example&client_id=evil&response_mode=form_post'
    const response = await client.send(`/api/auth/signin/${kind}?${query}`, { method: 'POST' })
    const door = new URL(response.headers.get('location') ?? '')
    expect(door.searchParams.get('prompt')).toBe('login')
    expect(door.searchParams.get('client_id')).toBe('plinth')
    expect(door.searchParams.get('redirect_uri')).toBe(
      `http://localhost:3000/api/auth/callback/${kind}`,
    )
    expect(door.searchParams.has('response_mode')).toBe(false)
  })

  test('over https the cookies are bound to this host', async () => {
    configure({ AUTH_URL: 'https://app.example.com' })
    const response = await newClient().send(`/api/auth/signin/${kind}`, { method: 'POST' })
    for (const line of response.headers.getSetCookie()) {
      expect(line).toMatch(/^__Host-(authjs|plinth)\./)
      expect(line).toContain('; Secure')
      expect(line).not.toContain('Domain')
    }
    const door = new URL(response.headers.get('location') ?? '')
    expect(door.searchParams.get('redirect_uri')).toBe(
      `https://app.example.com/api/auth/callback/${kind}`,
    )
  })

  test('a journey that began under the previous secret ends well', async () => {
    const forgetSecrets = () =>
      Reflect.deleteProperty(globalThis, Symbol.for('plinth.auth.secrets'))
    const { email } = newPerson(kind)
    const client = newClient()
    const back = await visitProvider(await leave(client, kind))
    const previous = env().AUTH_SECRET ?? ''
    configure({ AUTH_SECRET: 'another-secret-'.repeat(3), AUTH_SECRET_PREVIOUS: previous })
    forgetSecrets()
    await comeBack(client, back)
    expect((await client.session()).user.email).toBe(email)
    configure({})
    forgetSecrets()
  })

  test('Auth.js’s client is told where to go', async () => {
    const headers = { 'x-auth-return-redirect': '1' }
    const response = await newClient().send(`/api/auth/signin/${kind}`, { method: 'POST', headers })
    expect(response.status).toBe(200)
    expect((await response.json()).url).toContain('code_challenge=')
  })

  test('without a server of its own it is the one that everybody knows', async () => {
    configure({ [settings.url]: '' })
    const [configured] = env().providers.filter(({ id }) => id === kind)
    expect(configured?.origin).toBe(new URL(home).origin)
    // An issuer would be asked where its pages are.
    if (type === 'oidc') return
    const door = await leave(newClient(), kind)
    expect(`${door.origin}/`).toBe(new URL(home).href)
    expect(door.pathname).toMatch(/\/authorize$/)
    expect(door.searchParams.get('scope')).toMatch(/email/)
  })

  test('at either name of this machine a browser comes back to the one it left from', async () => {
    const ask = (host: string) =>
      newClient().send(`/api/auth/signin/${kind}`, { method: 'POST', headers: { host } })
    const door = new URL((await ask('127.0.0.1:3000')).headers.get('location') ?? '')
    expect(door.searchParams.get('redirect_uri')).toBe(
      `http://127.0.0.1:3000/api/auth/callback/${kind}`,
    )
    const other = await ask('evil.example')
    expect(other.headers.get('location')).toContain(encodeURIComponent('http://localhost:3000/'))
  })
})
