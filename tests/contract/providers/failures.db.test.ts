import { sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDemoAccounts } from '@/core/auth/demo-accounts'
import { installed } from '@/core/auth/providers/installed'
import { connection, holdConnection } from '@/core/db/client'
import { openPostgres } from '@/core/db/postgres'
import { newClient } from '../../support/client'
import { testDatabase } from '../../support/database'
import { comeBack, leave, signInWith, visitProvider } from '../../support/providers/browser'
import { oauthServers } from '../../support/providers/oauth'
import { freePort } from '../../support/server'
import { storedIn } from '../../support/stored'

const db = testDatabase()
const { serverOf, configure, newPerson } = oauthServers()
const { counts, lastEvents, userOf } = storedIn(db)

beforeAll(() => createDemoAccounts(db.database))

let client: ReturnType<typeof newClient>
let before: Awaited<ReturnType<typeof counts>>

beforeEach(async () => {
  client = newClient()
  before = await counts()
})

/** Sent to the page with a code, nobody signed in, nothing made, and one line in the trail. */
async function expectRefused(response: Response, code: string, event: object = {}) {
  expect(response.status).toBe(303)
  expect(response.headers.get('location')).toBe(`/sign-in?error=${code}`)
  expect(client.cookies.size).toBe(0)
  expect(await client.session()).toBeNull()
  expect(await counts()).toEqual(before)
  expect(await lastEvents(1)).toMatchObject([
    { action: 'sign_in', outcome: 'failure', address: client.address, actorId: null, ...event },
  ])
}

describe.each(installed)('with $id', ({ id: kind, type, settings }) => {
  const failed = { details: { by: kind, reason: 'oauth_failed' } }

  async function back(): Promise<URL> {
    newPerson(kind)
    return visitProvider(await leave(client, kind))
  }

  test('a person who refuses is told so', async () => {
    serverOf(kind).person = 'refuses'
    const response = await signInWith(client, kind)
    await expectRefused(response, 'oauth_denied', { details: { by: kind, reason: 'oauth_denied' } })
  })

  test.each(['server_error', 'temporarily_unavailable', 'whatever'])(
    'the provider fails: %s',
    async (error) => {
      const door = await leave(client, kind)
      const state = door.searchParams.get('state') ?? ''
      const query = new URLSearchParams({ error, error_description: '<b>library text</b>', state })
      const url = new URL(`http://localhost/api/auth/callback/${kind}?${query}`)
      await expectRefused(await comeBack(client, url), 'oauth_failed', failed)
    },
  )

  test.each<[string, (url: URL) => void]>([
    ['the wrong state', (url) => url.searchParams.set('state', 'made-up')],
    ['no state', (url) => url.searchParams.delete('state')],
    ['two states', (url) => url.searchParams.append('state', 'made-up')],
    ['the wrong issuer', (url) => url.searchParams.set('iss', 'https://evil.example')],
    ['no code', (url) => url.searchParams.delete('code')],
    ['a made-up code', (url) => url.searchParams.set('code', 'made-up')],
  ])('%s', async (_, change) => {
    const url = await back()
    change(url)
    await expectRefused(await comeBack(client, url), 'oauth_failed', failed)
  })

  test('the state of another browser', async () => {
    const url = await back()
    const theirs = await leave(newClient(), kind)
    url.searchParams.set('state', theirs.searchParams.get('state') ?? '')
    await expectRefused(await comeBack(client, url), 'oauth_failed', failed)
  })

  test.each(['authjs.state', 'authjs.pkce.code_verifier'])(
    'without the cookie %s',
    async (name) => {
      const url = await back()
      client.cookies.delete(`${name}.${kind}`)
      await expectRefused(await comeBack(client, url), 'oauth_failed', failed)
    },
  )

  test('in another browser, without any cookie', async () => {
    const url = await back()
    client = newClient()
    await expectRefused(await comeBack(client, url), 'oauth_failed', failed)
  })

  test('what was used once is not taken again, even with the cookies of then', async () => {
    const url = await back()
    const cookies = [...client.cookies]
    expect((await comeBack(client, url)).headers.get('location')).toBe('/')
    client = newClient()
    before = await counts()
    await expectRefused(await comeBack(client, url), 'oauth_failed', failed)
    for (const [name, value] of cookies) client.cookies.set(name, value)
    await expectRefused(await comeBack(client, url), 'oauth_failed', failed)
  })

  test('a failure ends the journey: the right answer afterwards is too late', async () => {
    const url = await back()
    const wrong = new URL(url)
    wrong.searchParams.set('state', 'made-up')
    await comeBack(client, wrong)
    await expectRefused(await comeBack(client, url), 'oauth_failed', failed)
  })

  test('an address that the provider has not verified', async () => {
    newPerson(kind, { verified: false, publicEmail: 'public@example.org' })
    const refused = { action: 'sign_up', outcome: 'denied' }
    await expectRefused(await signInWith(client, kind), 'email_not_verified', refused)
    expect(await userOf('public@example.org')).toBeUndefined()
  })

  test.each(['not an address', `${'x'.repeat(250)}@example.org`, 'a@b@c.org'])(
    'an address that none of ours can be: %s',
    async (email) => {
      newPerson(kind, { email })
      const refused = { action: 'sign_up', outcome: 'denied' }
      await expectRefused(await signInWith(client, kind), 'email_not_verified', refused)
    },
  )

  test('an address that has an account is not linked in silence', async () => {
    newPerson(kind, { email: 'ADMIN@example.com' })
    const targetId = (await userOf('admin@example.com'))?.id
    const details = { by: kind, reason: 'email_in_use' }
    const refused = { outcome: 'denied', targetId, details }
    await expectRefused(await signInWith(client, kind), 'email_in_use', refused)
  })

  test('a client that asks for no page gets the problem, without a word of the library', async () => {
    const response = await client.send(`/api/auth/callback/${kind}?code=x&state=y`)
    expect(response.status).toBe(400)
    const { requestId, ...problem } = await response.json()
    expect(problem).toEqual({
      type: '/api/problems/oauth_failed',
      title: 'Sign-in not completed',
      status: 400,
      detail: 'The sign-in with the other service was not completed. Start again.',
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
  ])('odd questions are refused like all others: %s', async (query) => {
    const path = `/api/auth/callback/${kind}${query === '%' ? '?%' : query}`
    for (const state of ['%E0', 'x.y.z.a.b']) {
      const headers = { cookie: `authjs.state.${kind}=${state}` }
      expect((await client.send(path, { headers })).status).toBe(400)
    }
  })

  test('a provider that is away is told apart from a failure', async () => {
    const url = await back()
    url.searchParams.delete('iss')
    configure({ [settings.url]: `http://127.0.0.1:${await freePort()}` })
    const details = { by: kind, reason: 'provider_unavailable' }
    await expectRefused(await comeBack(client, url), 'provider_unavailable', { details })
    if (type === 'oauth') return
    const departure = await client.send(`/api/auth/signin/${kind}`, { method: 'POST' })
    expect(departure.status).toBe(502)
    expect((await departure.json()).code).toBe('provider_unavailable')
  })

  test('a database that is away is 503, and nobody is told to be signed out', async () => {
    const url = await back()
    const live = connection()
    const away = openPostgres({ url: `postgres://127.0.0.1:${await freePort()}/x`, poolSize: 1 })
    holdConnection(away)
    const response = await comeBack(client, url)
    holdConnection(live)
    await away.close()
    expect(response.status).toBe(503)
    expect((await response.json()).code).toBe('database_unreachable')
    expect(await counts()).toEqual(before)
  })

  test('what fails in the middle leaves nothing behind', async () => {
    const url = await back()
    const refuse = `check (provider <> '${kind}') not valid`
    await db.database.execute(sql.raw(`alter table accounts add constraint broken ${refuse}`))
    const response = await comeBack(client, url)
    await db.database.execute(sql`alter table accounts drop constraint broken`)
    expect(response.status).toBe(500)
    expect(await counts()).toEqual(before)
    expect(await client.session()).toBeNull()
  })

  test('somebody who comes back without end is told to wait', async () => {
    const statuses = new Set<number>()
    for (let count = 0; count < 61; count += 1) {
      const response = await client.send(`/api/auth/callback/${kind}?code=x`)
      statuses.add(response.status)
      if (response.status === 429) expect(response.headers.get('retry-after')).toBeTruthy()
    }
    expect([...statuses]).toEqual([400, 429])
  })

  test('from another site nobody is sent to a provider', async () => {
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const response = await client.send(`/api/auth/signin/${kind}`, { method: 'POST', headers })
    expect(response.status).toBe(403)
    expect(response.headers.getSetCookie()).toEqual([])
  })
})

const ids = installed.map(({ id }) => id)
const pairs = ids.flatMap((kind) =>
  ids.filter((other) => other !== kind).map((other) => ({ kind, other })),
)

describe.each(pairs)('$kind instead of $other', ({ kind, other }) => {
  const failed = { details: { by: kind, reason: 'oauth_failed' } }

  test.each(['authjs.state', 'authjs.pkce.code_verifier'])(
    'with the cookie %s of the other',
    async (name) => {
      newPerson(kind)
      const url = await visitProvider(await leave(client, kind))
      await leave(client, other)
      const theirs = client.cookies.get(`${name}.${other}`) ?? ''
      for (const cookie of client.cookies.keys()) {
        if (cookie.endsWith(other)) client.cookies.delete(cookie)
      }
      client.cookies.set(`${name}.${kind}`, theirs)
      await expectRefused(await comeBack(client, url), 'oauth_failed', failed)
    },
  )

  test('the answer of the other', async () => {
    newPerson(other)
    const url = await visitProvider(await leave(client, other))
    url.pathname = `/api/auth/callback/${kind}`
    const response = await comeBack(client, url)
    client.cookies.clear()
    await expectRefused(response, 'oauth_failed', failed)
  })
})

const speakOpenIdConnect = installed.filter(({ type }) => type === 'oidc')

describe.each(speakOpenIdConnect)('an ID token of $id', ({ id: kind }) => {
  test.each([
    ['of another issuer', { iss: 'https://evil.example' }],
    ['for another client', { aud: 'another' }],
    ['that has expired', { exp: 1_000_000_000 }],
    ['about nobody', { sub: undefined }],
    ['with an address that is no text', { email: 7 }],
  ])('%s', async (_, forged) => {
    newPerson(kind)
    serverOf(kind).forged = forged
    await expectRefused(await signInWith(client, kind), 'oauth_failed')
  })

  test('with a name that is no text leaves the part before the @', async () => {
    const { email } = newPerson(kind)
    serverOf(kind).forged = { name: { toString: 'x' } }
    expect((await signInWith(client, kind)).headers.get('location')).toBe('/')
    expect((await userOf(email))?.name).toBe(email.split('@')[0])
  })

  test.each(['true', 1, undefined])('says verified only with true: %s', async (value) => {
    newPerson(kind)
    serverOf(kind).forged = { email_verified: value }
    const refused = { action: 'sign_up', outcome: 'denied' }
    await expectRefused(await signInWith(client, kind), 'email_not_verified', refused)
  })
})

test.each(installed)('$id does not exist without its keys', async ({ id, settings }) => {
  configure({ [settings.clientId]: '', [settings.clientSecret]: '' })
  const headers = { accept: 'text/html' }
  const signIn = await client.send(`/api/auth/signin/${id}`, { method: 'POST', headers })
  expect(signIn.status).toBe(404)
  const callback = await client.send(`/api/auth/callback/${id}?code=x`, { headers })
  expect(callback.status).toBe(404)
  expect((await callback.json()).code).toBe('not_found')
  expect(await counts()).toEqual(before)
})
