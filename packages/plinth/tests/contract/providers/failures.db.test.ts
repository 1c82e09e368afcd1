import { sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDemoAccounts } from '#auth/accounts/users'
import { connection, setConnection } from '#db/client'
import { openPostgres } from '#db/postgres/postgres'
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
import { freePort } from '#testing/server/server'
import { installed } from '../../support/installed-providers'
import { expectRejectedSignIn } from '../../support/providers/rejected-sign-in'

const db = testDatabase()
const { providerOf, configure, newProviderUser } = oauthServers(installed)
const rows = databaseRows(db)
const { counts, userOf } = rows

beforeAll(() => createDemoAccounts(db.database))

let client: ReturnType<typeof newClient>
let before: Awaited<ReturnType<typeof rows.counts>>

beforeEach(async () => {
  client = newClient()
  before = await rows.counts()
})

function expectRejected(response: Response, code: string, event: object = {}) {
  return expectRejectedSignIn(rows, { client, before }, response, { code, ...event })
}

describe.each(installed)('with $id', ({ id: provider, type, settings }) => {
  const failed = { details: { by: provider, reason: 'oauth_failed' } }

  async function callback(): Promise<URL> {
    newProviderUser(provider)
    return authorizeAtProvider(await startOAuth(client, provider))
  }

  test('rejects a sign-in that the user denied', async () => {
    providerOf(provider).user = 'denies'
    const response = await signInWith(client, provider)
    await expectRejected(response, 'oauth_denied', {
      details: { by: provider, reason: 'oauth_denied' },
    })
  })

  test.each(['server_error', 'temporarily_unavailable', 'unknown'])(
    'rejects an error of the provider: %s',
    async (error) => {
      const authorizationUrl = await startOAuth(client, provider)
      const state = authorizationUrl.searchParams.get('state') ?? ''
      const query = new URLSearchParams({ error, error_description: '<b>library text</b>', state })
      const url = new URL(`http://localhost/api/auth/callback/${provider}?${query}`)
      await expectRejected(await followCallback(client, url), 'oauth_failed', failed)
    },
  )

  test.each<[string, (url: URL) => void]>([
    ['the wrong state', (url) => url.searchParams.set('state', 'invented')],
    ['no state', (url) => url.searchParams.delete('state')],
    ['two states', (url) => url.searchParams.append('state', 'invented')],
    ['the wrong issuer', (url) => url.searchParams.set('iss', 'https://evil.example')],
    ['no code', (url) => url.searchParams.delete('code')],
    ['an invented code', (url) => url.searchParams.set('code', 'invented')],
  ])('rejects %s', async (_, alter) => {
    const url = await callback()
    alter(url)
    await expectRejected(await followCallback(client, url), 'oauth_failed', failed)
  })

  test('rejects the state of another browser', async () => {
    const url = await callback()
    const foreign = await startOAuth(newClient(), provider)
    url.searchParams.set('state', foreign.searchParams.get('state') ?? '')
    await expectRejected(await followCallback(client, url), 'oauth_failed', failed)
  })

  test.each(['authjs.state', 'authjs.pkce.code_verifier'])(
    'rejects a callback without the cookie %s',
    async (name) => {
      const url = await callback()
      client.cookies.delete(`${name}.${provider}`)
      await expectRejected(await followCallback(client, url), 'oauth_failed', failed)
    },
  )

  test('rejects a callback in another browser', async () => {
    const url = await callback()
    client = newClient()
    await expectRejected(await followCallback(client, url), 'oauth_failed', failed)
  })

  test('rejects a reused callback, even with the old cookies', async () => {
    const url = await callback()
    const cookies = [...client.cookies]
    expect((await followCallback(client, url)).headers.get('location')).toBe('/')
    client = newClient()
    before = await counts()
    await expectRejected(await followCallback(client, url), 'oauth_failed', failed)
    for (const [name, value] of cookies) client.cookies.set(name, value)
    await expectRejected(await followCallback(client, url), 'oauth_failed', failed)
  })

  test('rejects a valid callback after a failed one', async () => {
    const url = await callback()
    const invalid = new URL(url)
    invalid.searchParams.set('state', 'invented')
    await followCallback(client, invalid)
    await expectRejected(await followCallback(client, url), 'oauth_failed', failed)
  })

  test('rejects an email that the provider has not verified', async () => {
    newProviderUser(provider, { verified: false, publicEmail: 'public@example.org' })
    const denied = { action: 'sign_up', outcome: 'denied' }
    await expectRejected(await signInWith(client, provider), 'email_not_verified', denied)
    expect(await userOf('public@example.org')).toBeUndefined()
  })

  test.each(['not an email', `${'x'.repeat(250)}@example.org`, 'a@b@c.org'])(
    'rejects an invalid email: %s',
    async (email) => {
      newProviderUser(provider, { email })
      const denied = { action: 'sign_up', outcome: 'denied' }
      await expectRejected(await signInWith(client, provider), 'email_not_verified', denied)
    },
  )

  test('does not link an existing account by email', async () => {
    newProviderUser(provider, { email: 'ADMIN@example.com' })
    const targetId = (await userOf('admin@example.com'))?.id
    const details = { by: provider, reason: 'email_in_use' }
    const denied = { outcome: 'denied', targetId, details }
    await expectRejected(await signInWith(client, provider), 'email_in_use', denied)
  })

  test('returns a problem without library text to an API client', async () => {
    const response = await client.send(`/api/auth/callback/${provider}?code=x&state=y`)
    expect(response.status).toBe(400)
    const { requestId, ...problem } = await response.json()
    expect(problem).toEqual({
      type: '/api/problems/oauth_failed',
      title: 'Sign-in failed',
      status: 400,
      detail: 'Sign-in with the provider failed. Try again.',
      code: 'oauth_failed',
    })
    expect(response.headers.get('cache-control')).toBe('private, no-store')
  })

  test.each([
    '%',
    '?',
    '?error=',
    '?code=%00&state=%ff',
    `?code=${'x'.repeat(5000)}`,
    '?callbackUrl=x',
  ])('rejects an unusual query: %s', async (query) => {
    const path = `/api/auth/callback/${provider}${query === '%' ? '?%' : query}`
    for (const state of ['%E0', 'x.y.z.a.b']) {
      const headers = { cookie: `authjs.state.${provider}=${state}` }
      expect((await client.send(path, { headers })).status).toBe(400)
    }
  })

  test('distinguishes an unavailable provider from a failure', async () => {
    const url = await callback()
    url.searchParams.delete('iss')
    configure({ [settings.url]: `http://127.0.0.1:${await freePort()}` })
    const details = { by: provider, reason: 'provider_unavailable' }
    await expectRejected(await followCallback(client, url), 'provider_unavailable', { details })
    if (type === 'oauth') return
    const start = await client.send(`/api/auth/signin/${provider}`, { method: 'POST' })
    expect(start.status).toBe(502)
    expect((await start.json()).code).toBe('provider_unavailable')
  })

  test('returns 503 if the database is unavailable', async () => {
    const url = await callback()
    const live = connection()
    const unavailable = openPostgres({
      url: `postgres://127.0.0.1:${await freePort()}/x`,
      poolSize: 1,
    })
    setConnection(unavailable)
    const response = await followCallback(client, url)
    setConnection(live)
    await unavailable.close()
    expect(response.status).toBe(503)
    expect((await response.json()).code).toBe('database_unreachable')
    expect(await counts()).toEqual(before)
  })

  test('stores nothing if the sign-in fails halfway', async () => {
    const url = await callback()
    const constraint = `check (provider <> '${provider}') not valid`
    await db.database.execute(sql.raw(`alter table accounts add constraint broken ${constraint}`))
    const response = await followCallback(client, url)
    await db.database.execute(sql`alter table accounts drop constraint broken`)
    expect(response.status).toBe(500)
    expect(await counts()).toEqual(before)
    expect(await client.session()).toBeNull()
  })

  test('limits the rate of callbacks', async () => {
    const statuses = new Set<number>()
    for (let count = 0; count < 61; count += 1) {
      const response = await client.send(`/api/auth/callback/${provider}?code=x`)
      statuses.add(response.status)
      if (response.status === 429) expect(response.headers.get('retry-after')).toBeTruthy()
    }
    expect([...statuses]).toEqual([400, 429])
  })

  test('rejects a cross-origin sign-in', async () => {
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const response = await client.send(`/api/auth/signin/${provider}`, { method: 'POST', headers })
    expect(response.status).toBe(403)
    expect(response.headers.getSetCookie()).toEqual([])
  })
})

const ids = installed.map(({ id }) => id)
const pairs = ids.flatMap((provider) =>
  ids.filter((other) => other !== provider).map((other) => ({ provider, other })),
)

describe.each(pairs)('$provider instead of $other', ({ provider, other }) => {
  const failed = { details: { by: provider, reason: 'oauth_failed' } }

  test.each(['authjs.state', 'authjs.pkce.code_verifier'])(
    'rejects the cookie %s of the other',
    async (name) => {
      newProviderUser(provider)
      const url = await authorizeAtProvider(await startOAuth(client, provider))
      await startOAuth(client, other)
      const foreign = client.cookies.get(`${name}.${other}`) ?? ''
      for (const cookie of client.cookies.keys()) {
        if (cookie.endsWith(other)) client.cookies.delete(cookie)
      }
      client.cookies.set(`${name}.${provider}`, foreign)
      await expectRejected(await followCallback(client, url), 'oauth_failed', failed)
    },
  )

  test('rejects the callback of the other', async () => {
    newProviderUser(other)
    const url = await authorizeAtProvider(await startOAuth(client, other))
    url.pathname = `/api/auth/callback/${provider}`
    const response = await followCallback(client, url)
    client.cookies.clear()
    await expectRejected(response, 'oauth_failed', failed)
  })
})

test.each(installed)('$id returns 404 if it is not configured', async ({ id, settings }) => {
  configure({ [settings.clientId]: '', [settings.clientSecret]: '' })
  const headers = { accept: 'text/html' }
  const signIn = await client.send(`/api/auth/signin/${id}`, { method: 'POST', headers })
  expect(signIn.status).toBe(404)
  const callback = await client.send(`/api/auth/callback/${id}?code=x`, { headers })
  expect(callback.status).toBe(404)
  expect((await callback.json()).code).toBe('not_found')
  expect(await counts()).toEqual(before)
})
