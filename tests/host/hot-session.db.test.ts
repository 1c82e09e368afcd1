import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase, openPlace, type Place } from '../support/database'
import { storeSessions } from '../support/hammer'
import { type Server, startServer } from '../support/server'

let place: Place
let server: Server
let token: string
const unknown = 'A'.repeat(43)
const name = 'authjs.session-token'

beforeAll(async () => {
  place = await freshDatabase()
  const connection = await openPlace(place)
  await connection.query(
    `insert into users (email, name) values ('ada@example.com', 'Ada “L.” Ünal') on conflict do nothing`,
    [],
  )
  ;[token = ''] = await storeSessions(connection.database, 'ada@example.com', 1)
  await connection.close()
  server = await startServer(place.settings)
})

afterAll(async () => {
  await server?.stop()
  await place?.remove()
})

/** A query is not part of the plain case, so with one the interface answers. */
async function ask(headers: Record<string, string>, query = '') {
  const response = await fetch(`${server.url}/api/auth/session${query}`, { headers })
  const { date, 'x-request-id': id, ...rest } = Object.fromEntries(response.headers)
  expect(date && id).toBeTruthy()
  return { status: response.status, headers: rest, body: await response.text() }
}

const cases = {
  nobody: () => ({}),
  'a cookie': () => ({ cookie: `${name}=${token}` }),
  'a cookie among others': () => ({ cookie: `a=1; ${name}=${token}; b=2` }),
  'a bearer token': () => ({ authorization: `Bearer ${token}` }),
  'a bearer in small letters': () => ({ authorization: `bearer ${token}` }),
  'a bearer and a cookie of nobody': () => ({
    authorization: `Bearer ${token}`,
    cookie: `${name}=${unknown}`,
  }),
  'a cookie and a bearer of nobody': () => ({
    authorization: `Bearer ${unknown}`,
    cookie: `${name}=${token}`,
  }),
  'a cookie of nobody': () => ({ cookie: `${name}=${unknown}` }),
  'a malformed cookie': () => ({ cookie: `${name}=${token.slice(1)}` }),
  'the cookie twice': () => ({ cookie: `${name}=${unknown}; ${name}=${token}` }),
  'the name within another': () => ({ cookie: `x${name}=${token}` }),
  'the name within a value': () => ({ cookie: `a=${name}=${token}` }),
  'a quoted cookie': () => ({ cookie: `${name}="${token}"` }),
  'a cookie without a space before it': () => ({ cookie: `a=1;${name}=${token}` }),
  'another cookie alone': () => ({ cookie: 'a=1' }),
  'another scheme': () => ({ authorization: `Basic ${token}` }),
  'an origin': () => ({ cookie: `${name}=${token}`, origin: 'https://elsewhere.example' }),
}

test.each(Object.entries(cases))('%s: the hot answer is the answer', async (_, headers) => {
  const full = await ask(headers(), '?full')
  for (let again = 0; again < 3; again += 1) expect(await ask(headers())).toEqual(full)
})

test('what is signed in is known, and what is not, is not', async () => {
  expect((await ask(cases['a cookie']())).body).toContain('Ada “L.” Ünal')
  expect((await ask(cases['a cookie of nobody']())).body).toBe('null')
})
