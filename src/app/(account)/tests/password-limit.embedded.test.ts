import { callAction, outcomeOf } from '@tests/support/call-action'
import { freshDatabase, type Place } from '@tests/support/database'
import { type Server, startServer } from '@tests/support/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoPassword } from '@/core/auth/demo-accounts'

let place: Place
let server: Server

beforeAll(async () => {
  place = await freshDatabase()
  server = await startServer(place.settings)
})

afterAll(async () => {
  await server?.stop()
  await place?.remove()
})

function signIn(password: string): Promise<Response> {
  const body = { email: 'viewer@example.com', password, redirect: false, transport: 'bearer' }
  return fetch(`${server.url}/api/auth/signin`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
}

test('wrong passwords at sign-in and in an action count together, to rate_limited', async () => {
  const { token } = await (await signIn(demoPassword)).json()
  expect((await signIn('not the password')).status).toBe(401)
  const input = { currentPassword: 'not it either', newPassword: 'a few words in a row' }
  const outcomes: string[] = []
  for (let turn = 0; turn < 10; turn += 1) {
    const headers = { authorization: `Bearer ${token}` }
    outcomes.push(outcomeOf(await callAction(server.url, 'changePassword', input, headers)))
  }
  expect(outcomes).toEqual([...Array(9).fill('invalid'), 'rate_limited'])
})
