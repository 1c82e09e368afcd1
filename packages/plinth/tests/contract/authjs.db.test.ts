import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDemoAccounts } from '#auth/accounts/users'
import { newClient } from '#testing/client'
import { testDatabase } from '#testing/database/database'
import { databaseRows } from '#testing/database/database-rows'
import { configure } from '#testing/settings'

const db = testDatabase()
const { counts, lastEvents } = databaseRows(db)

beforeAll(() => createDemoAccounts(db.database))
beforeEach(() => configure({}))

const cookieName = 'authjs.session-token'
const csrfCookie = 'authjs.csrf-token'

async function csrfToken(client: ReturnType<typeof newClient>): Promise<string> {
  return (await (await client.send('/api/auth/csrf')).json()).csrfToken
}

describe('the CSRF token', () => {
  test('is returned with its cookie and nothing else', async () => {
    const response = await newClient().send('/api/auth/csrf')
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ csrfToken: expect.stringMatching(/^[0-9a-f]{64}$/) })
    const [line, ...more] = response.headers.getSetCookie()
    expect(more).toEqual([])
    expect(line).toMatch(/^authjs\.csrf-token=[^;]+; Path=\/; HttpOnly; SameSite=Lax$/)
    expect(response.headers.get('cache-control')).toBe('private, no-store')
  })

  test('stays the same while its cookie is valid', async () => {
    const client = newClient()
    const token = await csrfToken(client)
    const again = await client.send('/api/auth/csrf')
    expect(await again.json()).toEqual({ csrfToken: token })
    expect(again.headers.getSetCookie()).toEqual([])
    client.cookies.set(csrfCookie, 'invalid%7Cinvalid')
    expect(await csrfToken(client)).not.toBe(token)
  })

  test('has a __Host- cookie over https', async () => {
    configure({ AUTH_URL: 'https://app.example.com' })
    const response = await newClient().send('/api/auth/csrf')
    expect(response.headers.getSetCookie()[0]).toMatch(/^__Host-authjs\.csrf-token=.*; Secure/)
  })
})

test('lists only the password provider if no other is configured', async () => {
  const response = await newClient().send('/api/auth/providers')
  expect(await response.json()).toEqual({
    credentials: {
      id: 'credentials',
      name: 'Credentials',
      type: 'credentials',
      signinUrl: 'http://localhost:3000/api/auth/signin/credentials',
      callbackUrl: 'http://localhost:3000/api/auth/callback/credentials',
    },
  })
})

test.each(['unknown', 'credentials', 'undefined', '__proto__', '%2e%2e'])(
  'returns 404 for a provider that is not installed: %s',
  async (name) => {
    const before = await counts()
    const headers = { accept: 'text/html' }
    const client = newClient()
    const signIn = await client.send(`/api/auth/signin/${name}`, { method: 'POST', headers })
    expect(signIn.status).toBe(404)
    const callback = await client.send(`/api/auth/callback/${name}?code=x`, { headers })
    expect(callback.status).toBe(404)
    expect((await callback.json()).code).toBe('not_found')
    expect(await counts()).toEqual(before)
  },
)

test('redirects to the sign-in page', async () => {
  const locationFor = async (query: string) =>
    (await newClient().send(`/api/auth/signin${query}`)).headers.get('location')
  expect(await locationFor('')).toBe('/sign-in')
  expect(await locationFor('?callbackUrl=http%3A%2F%2Flocalhost%3A3000%2Farticles')).toBe(
    '/sign-in?callbackUrl=%2Farticles',
  )
  expect(await locationFor('?callbackUrl=https%3A%2F%2Fevil.example')).toBe('/sign-in')
})

describe('sign-in with the Auth.js client', () => {
  const credentials = { email: 'viewer@example.com', password: 'plinth-demo-1' }
  const authJsClient = { 'x-auth-return-redirect': '1' }

  function submit(
    client: ReturnType<typeof newClient>,
    fields: Record<string, string>,
    headers: Record<string, string> = authJsClient,
  ) {
    return client.send('/api/auth/callback/credentials', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(fields).toString(),
    })
  }

  test('returns an absolute URL and sets the session cookie', async () => {
    const client = newClient()
    const callbackUrl = 'http://localhost:3000/articles?tab=1'
    const fields = { ...credentials, csrfToken: await csrfToken(client), callbackUrl }
    const response = await submit(client, fields)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ url: callbackUrl })
    const [line, device, ...more] = response.headers.getSetCookie()
    expect(more).toEqual([])
    expect(device).toMatch(/^plinth\.device=/)
    expect(line).toMatch(
      /^authjs\.session-token=[\w-]{43}; Max-Age=\d+; Path=\/; Expires=.* GMT; HttpOnly; SameSite=Lax$/,
    )
    expect((await client.session()).user.email).toBe(credentials.email)
    expect(await lastEvents(1)).toMatchObject([{ action: 'sign_in', details: { by: 'password' } }])
  })

  test('accepts JSON and a plain form', async () => {
    const json = newClient()
    const body = { ...credentials, csrfToken: await csrfToken(json), callbackUrl: '/articles' }
    const asJson = await json.post('/api/auth/callback/credentials', body, authJsClient)
    expect(await asJson.json()).toEqual({ url: 'http://localhost:3000/articles' })
    const form = newClient()
    const fields = { ...credentials, csrfToken: await csrfToken(form), callbackUrl: '/articles' }
    const asForm = await submit(form, fields, { accept: 'text/html' })
    expect(asForm.status).toBe(303)
    expect(asForm.headers.get('location')).toBe('/articles')
  })

  test('replaces the current session', async () => {
    const client = newClient()
    await client.signIn('editor@example.com')
    const old = client.cookies.get(cookieName)
    const before = await counts()
    await submit(client, { ...credentials, csrfToken: await csrfToken(client) })
    expect(client.cookies.get(cookieName)).not.toBe(old)
    expect(await counts()).toEqual(before)
  })

  test('reports a wrong password as the Auth.js error with a code', async () => {
    const client = newClient()
    const before = await counts()
    const fields = {
      email: credentials.email,
      password: 'wrong',
      csrfToken: await csrfToken(client),
    }
    const response = await submit(client, fields)
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({
      code: 'invalid_credentials',
      url: 'http://localhost:3000/sign-in?error=CredentialsSignin&code=credentials',
    })
    expect(client.cookies.has(cookieName)).toBe(false)
    expect(await counts()).toEqual(before)
    const page = await submit(client, fields, { accept: 'text/html' })
    expect(page.headers.get('location')).toBe('/sign-in?error=invalid_credentials')
    const empty = await submit(client, { csrfToken: fields.csrfToken })
    expect(empty.status).toBe(422)
    expect((await empty.json()).url).toContain('error=CredentialsSignin&code=credentials')
  })

  test.each<[string, (token: string) => string | undefined]>([
    ['missing', () => undefined],
    ['empty', () => ''],
    ['invented', () => 'f'.repeat(64)],
    ['truncated', (token) => token.slice(1)],
  ])('rejects a token that is %s before it checks the password', async (_, alter) => {
    const client = newClient()
    const given = alter(await csrfToken(client))
    const before = await counts()
    const response = await submit(client, {
      ...credentials,
      ...(given === undefined ? {} : { csrfToken: given }),
    })
    expect(response.status).toBe(403)
    expect((await response.json()).code).toBe('csrf_mismatch')
    expect(client.cookies.has(cookieName)).toBe(false)
    expect(await counts()).toEqual(before)
  })

  test('rejects the token of another browser or without its cookie', async () => {
    const foreign = await csrfToken(newClient())
    const client = newClient()
    expect((await submit(client, { ...credentials, csrfToken: foreign })).status).toBe(403)
    await csrfToken(client)
    expect((await submit(client, { ...credentials, csrfToken: foreign })).status).toBe(403)
    client.cookies.set(csrfCookie, `${foreign}%7C${'0'.repeat(64)}`)
    expect((await submit(client, { ...credentials, csrfToken: foreign })).status).toBe(403)
  })

  test('shares the rate limit of password sign-in', async () => {
    const client = newClient()
    const token = await csrfToken(client)
    for (let count = 0; count < 5; count += 1) {
      await client.signIn(credentials.email, 'wrong')
      await submit(client, { email: credentials.email, password: 'wrong', csrfToken: token })
    }
    const response = await submit(client, { ...credentials, csrfToken: token })
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toBeTruthy()
    expect((await response.json()).url).toContain('error=CredentialsSignin&code=rate_limited')
    expect((await client.signIn(credentials.email)).status).toBe(429)
  })

  test('rejects a cross-origin request', async () => {
    const client = newClient()
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const response = await submit(
      client,
      { ...credentials, csrfToken: await csrfToken(client) },
      headers,
    )
    expect(response.status).toBe(403)
    expect((await response.json()).code).toBe('cross_origin')
    expect(client.cookies.has(cookieName)).toBe(false)
  })
})
