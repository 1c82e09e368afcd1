import { once } from 'node:events'
import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase, openFresh } from '#testing/database/database'
import { type Server, startServer } from '#testing/server/server'
import { storeSessions } from '../../support/session-load'

let fresh: FreshDatabase
let server: Server
let token: string
let other: string
const unknown = 'A'.repeat(43)
const name = 'authjs.session-token'

beforeAll(async () => {
  fresh = await freshDatabase()
  const connection = await openFresh(fresh)
  await connection.query(
    `insert into users (email, name) values ('user@example.com', 'User “U.” Ünal') on conflict do nothing`,
    [],
  )
  await connection.query(
    `insert into users (email, name) values ('other@example.com', 'Other') on conflict do nothing`,
    [],
  )
  ;[token = ''] = await storeSessions(connection.database, 'user@example.com', 1)
  ;[other = ''] = await storeSessions(connection.database, 'other@example.com', 1)
  await connection.close()
  server = await startServer(fresh.settings)
})

afterAll(async () => {
  await server?.stop()
  await fresh?.remove()
})

/** A query string disables the fast path. */
async function readSession(headers: Record<string, string>, query = '') {
  const response = await fetch(`${server.url}/api/auth/session${query}`, { headers })
  const { date, 'x-request-id': id, ...rest } = Object.fromEntries(response.headers)
  expect(date && id).toBeTruthy()
  return { status: response.status, headers: rest, body: await response.text() }
}

const cases = {
  'no credentials': () => ({}),
  'a cookie': () => ({ cookie: `${name}=${token}` }),
  'a cookie among others': () => ({ cookie: `a=1; ${name}=${token}; b=2` }),
  'a bearer token': () => ({ authorization: `Bearer ${token}` }),
  'a bearer token with a lower-case scheme': () => ({ authorization: `bearer ${token}` }),
  'a valid bearer token and an unknown cookie': () => ({
    authorization: `Bearer ${token}`,
    cookie: `${name}=${unknown}`,
  }),
  'a valid cookie and an unknown bearer token': () => ({
    authorization: `Bearer ${unknown}`,
    cookie: `${name}=${token}`,
  }),
  'an unknown cookie': () => ({ cookie: `${name}=${unknown}` }),
  'a malformed cookie': () => ({ cookie: `${name}=${token.slice(1)}` }),
  'the cookie twice': () => ({ cookie: `${name}=${unknown}; ${name}=${token}` }),
  'the name as part of another name': () => ({ cookie: `x${name}=${token}` }),
  'the name as part of a value': () => ({ cookie: `a=${name}=${token}` }),
  'a quoted cookie': () => ({ cookie: `${name}="${token}"` }),
  'a cookie without a space before it': () => ({ cookie: `a=1;${name}=${token}` }),
  'another cookie alone': () => ({ cookie: 'a=1' }),
  'another scheme': () => ({ authorization: `Basic ${token}` }),
  'an origin': () => ({ cookie: `${name}=${token}`, origin: 'https://other.example' }),
}

test.each(Object.entries(cases))('responds to %s as without the fast path', async (_, headers) => {
  const full = await readSession(headers(), '?full')
  for (let repeat = 0; repeat < 3; repeat += 1) expect(await readSession(headers())).toEqual(full)
})

test('returns the session of a valid cookie and null for an unknown one', async () => {
  expect((await readSession(cases['a cookie']())).body).toContain('User “U.” Ünal')
  expect((await readSession(cases['an unknown cookie']())).body).toBe('null')
})

/** Sent as they are: `fetch` would join two Cookie headers. */
async function emailsIn(path: string, cookies: string[]): Promise<string[]> {
  const options = { headers: { cookie: cookies, accept: 'text/html' } }
  const [response] = await once(get(`${server.url}${path}`, options), 'response')
  const body = (await text(response)).matchAll(/(?:user|other)@example\.com/g)
  return [...new Set([...body].map(([email]) => email))]
}

const twoCookies: [string, () => string[], string[]][] = [
  ['in one header', () => [`${name}=${token}; ${name}=${other}`], ['user@example.com']],
  ['in one header, swapped', () => [`${name}=${other}; ${name}=${token}`], ['other@example.com']],
  ['in two headers', () => [`${name}=${token}`, `${name}=${other}`], ['user@example.com']],
  [
    'in two headers, swapped',
    () => [`${name}=${other}`, `${name}=${token}`],
    ['other@example.com'],
  ],
  ['with a quoted first one', () => [`${name}="${token}"; ${name}=${other}`], ['user@example.com']],
  [
    'with a space after the first name',
    () => [`${name} =${token}; ${name}=${other}`],
    ['other@example.com'],
  ],
  ['with an unknown first one', () => [`${name}=${unknown}; ${name}=${token}`], []],
  ['with a malformed first one', () => [`${name}=x; ${name}=${token}`], []],
]

test.each(twoCookies)(
  'API and pages accept the same of two session cookies %s',
  async (_, cookies, emails) => {
    // The sign-in page shows who is signed in, and is part of every app.
    for (const path of [
      '/api/auth/session',
      '/api/auth/session?full',
      '/sign-in',
      '/sign-in?_rsc=',
    ])
      expect([path, await emailsIn(path, cookies())]).toEqual([path, emails])
  },
)
