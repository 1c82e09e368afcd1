import { type FreshDatabase, freshDatabase } from 'plinth/testing'
import { callAction, outcomeOf, type Server, startServer } from 'plinth/testing/server'
import { demoPassword } from 'plinth/universal/users'
import { afterAll, beforeAll, expect, test } from 'vitest'

let fresh: FreshDatabase
let server: Server

beforeAll(async () => {
  fresh = await freshDatabase()
  server = await startServer(fresh.settings)
})

afterAll(async () => {
  await server?.stop()
  await fresh?.remove()
})

function signIn(password: string): Promise<Response> {
  const body = { email: 'viewer@example.com', password, redirect: false, transport: 'bearer' }
  return fetch(`${server.url}/api/auth/signin`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
}

test('wrong passwords at sign-in and in an action share one rate limit', async () => {
  const { token } = await (await signIn(demoPassword)).json()
  expect((await signIn('not the password')).status).toBe(401)
  const input = { currentPassword: 'also not the password', newPassword: 'a few words in a row' }
  const outcomes: string[] = []
  for (let turn = 0; turn < 10; turn += 1) {
    const headers = { authorization: `Bearer ${token}` }
    outcomes.push(outcomeOf(await callAction(server.url, 'changePassword', input, headers)))
  }
  expect(outcomes).toEqual([...Array(9).fill('invalid'), 'rate_limited'])
})
