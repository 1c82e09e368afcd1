import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDemoAccounts } from '@/core/auth/demo-accounts'
import { newClient } from '../support/client'
import { configure } from '../support/configure'
import { testDatabase } from '../support/database'
import { storedIn } from '../support/stored'

const db = testDatabase()
const { counts, lastEvents } = storedIn(db)

beforeAll(() => createDemoAccounts(db.database))
beforeEach(() => configure({}))

const cookieName = 'authjs.session-token'
const csrfCookie = 'authjs.csrf-token'

async function csrfToken(client: ReturnType<typeof newClient>): Promise<string> {
  return (await (await client.send('/api/auth/csrf')).json()).csrfToken
}

describe('the CSRF token', () => {
  test('comes with its cookie and nothing else', async () => {
    const response = await newClient().send('/api/auth/csrf')
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ csrfToken: expect.stringMatching(/^[0-9a-f]{64}$/) })
    const [line, ...more] = response.headers.getSetCookie()
    expect(more).toEqual([])
    expect(line).toMatch(/^authjs\.csrf-token=[^;]+; Path=\/; HttpOnly; SameSite=Lax$/)
    expect(response.headers.get('cache-control')).toBe('private, no-store')
  })

  test('stays the same for a browser that has one', async () => {
    const client = newClient()
    const token = await csrfToken(client)
    const again = await client.send('/api/auth/csrf')
    expect(await again.json()).toEqual({ csrfToken: token })
    expect(again.headers.getSetCookie()).toEqual([])
    client.cookies.set(csrfCookie, 'made-up%7Cmade-up')
    expect(await csrfToken(client)).not.toBe(token)
  })

  test('is bound to this host over https', async () => {
    configure({ AUTH_URL: 'https://app.example.com' })
    const response = await newClient().send('/api/auth/csrf')
    expect(response.headers.getSetCookie()[0]).toMatch(/^__Host-authjs\.csrf-token=.*; Secure/)
  })
})

test('without the keys of any provider there is the password', async () => {
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

test.each(['nobody-knows-it', 'credentials', 'undefined', '__proto__', '%2e%2e'])(
  'a provider that nobody installed does not exist: %s',
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

test('who asks for the page to sign in on is sent there', async () => {
  const ask = async (query: string) =>
    (await newClient().send(`/api/auth/signin${query}`)).headers.get('location')
  expect(await ask('')).toBe('/sign-in')
  expect(await ask('?callbackUrl=http%3A%2F%2Flocalhost%3A3000%2Felsewhere')).toBe(
    '/sign-in?callbackUrl=%2Felsewhere',
  )
  expect(await ask('?callbackUrl=https%3A%2F%2Fevil.example')).toBe('/sign-in')
})

describe('signing in as Auth.js’s client does', () => {
  const right = { email: 'viewer@example.com', password: 'plinth-demo-1' }
  const asClient = { 'x-auth-return-redirect': '1' }

  function submit(
    client: ReturnType<typeof newClient>,
    fields: Record<string, string>,
    headers: Record<string, string> = asClient,
  ) {
    return client.send('/api/auth/callback/credentials', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(fields).toString(),
    })
  }

  test('answers with a whole address, and sets the very cookie of a sign-in', async () => {
    const client = newClient()
    const callbackUrl = 'http://localhost:3000/elsewhere?tab=1'
    const fields = { ...right, csrfToken: await csrfToken(client), callbackUrl }
    const response = await submit(client, fields)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ url: callbackUrl })
    const [line, ...more] = response.headers.getSetCookie()
    expect(more).toEqual([])
    expect(line).toMatch(
      /^authjs\.session-token=[\w-]{43}; Path=\/; Expires=.* GMT; HttpOnly; SameSite=Lax$/,
    )
    expect((await client.session()).user.email).toBe(right.email)
    expect(await lastEvents(1)).toMatchObject([{ action: 'sign_in', details: { by: 'password' } }])
  })

  test('as JSON, and as a plain form', async () => {
    const json = newClient()
    const body = { ...right, csrfToken: await csrfToken(json), callbackUrl: '/elsewhere' }
    const asJson = await json.post('/api/auth/callback/credentials', body, asClient)
    expect(await asJson.json()).toEqual({ url: 'http://localhost:3000/elsewhere' })
    const form = newClient()
    const fields = { ...right, csrfToken: await csrfToken(form), callbackUrl: '/elsewhere' }
    const asForm = await submit(form, fields, { accept: 'text/html' })
    expect(asForm.status).toBe(303)
    expect(asForm.headers.get('location')).toBe('/elsewhere')
  })

  test('renews the session that was there', async () => {
    const client = newClient()
    await client.signIn('editor@example.com')
    const old = client.cookies.get(cookieName)
    const before = await counts()
    await submit(client, { ...right, csrfToken: await csrfToken(client) })
    expect(client.cookies.get(cookieName)).not.toBe(old)
    expect(await counts()).toEqual(before)
  })

  test('a wrong password is Auth.js’s error, with a code', async () => {
    const client = newClient()
    const before = await counts()
    const fields = { email: right.email, password: 'wrong', csrfToken: await csrfToken(client) }
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
    const nothing = await submit(client, { csrfToken: fields.csrfToken })
    expect(nothing.status).toBe(422)
    expect((await nothing.json()).url).toContain('error=CredentialsSignin&code=credentials')
  })

  test.each<[string, (token: string) => string | undefined]>([
    ['none', () => undefined],
    ['an empty one', () => ''],
    ['a made-up one', () => 'f'.repeat(64)],
    ['a cut one', (token) => token.slice(1)],
  ])('a token that is %s is refused before the password is looked at', async (_, change) => {
    const client = newClient()
    const given = change(await csrfToken(client))
    const before = await counts()
    const response = await submit(client, {
      ...right,
      ...(given === undefined ? {} : { csrfToken: given }),
    })
    expect(response.status).toBe(403)
    expect((await response.json()).code).toBe('csrf_mismatch')
    expect(client.cookies.has(cookieName)).toBe(false)
    expect(await counts()).toEqual(before)
  })

  test('the token of another browser, or without its cookie, is none', async () => {
    const theirs = await csrfToken(newClient())
    const client = newClient()
    expect((await submit(client, { ...right, csrfToken: theirs })).status).toBe(403)
    await csrfToken(client)
    expect((await submit(client, { ...right, csrfToken: theirs })).status).toBe(403)
    client.cookies.set(csrfCookie, `${theirs}%7C${'0'.repeat(64)}`)
    expect((await submit(client, { ...right, csrfToken: theirs })).status).toBe(403)
  })

  test('it is no way around the limits of signing in', async () => {
    const client = newClient()
    const token = await csrfToken(client)
    for (let count = 0; count < 5; count += 1) {
      await client.signIn(right.email, 'wrong')
      await submit(client, { email: right.email, password: 'wrong', csrfToken: token })
    }
    const response = await submit(client, { ...right, csrfToken: token })
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toBeTruthy()
    expect((await response.json()).url).toContain('error=CredentialsSignin&code=rate_limited')
    expect((await client.signIn(right.email)).status).toBe(429)
  })

  test('another site cannot, whatever it sends', async () => {
    const client = newClient()
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const response = await submit(client, { ...right, csrfToken: await csrfToken(client) }, headers)
    expect(response.status).toBe(403)
    expect((await response.json()).code).toBe('cross_origin')
    expect(client.cookies.has(cookieName)).toBe(false)
  })
})
