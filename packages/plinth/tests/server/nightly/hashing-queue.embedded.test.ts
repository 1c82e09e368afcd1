import { availableParallelism } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#testing/database/database'
import { callAction, outcomeOf } from '#testing/server/call-action'
import { type Server, startServer } from '#testing/server/server'
import { demoPassword } from '#universal/users'

/** The API and the actions, which Next loads, share one hashing queue. */
let fresh: FreshDatabase
let server: Server

beforeAll(async () => {
  fresh = await freshDatabase()
  server = await startServer({ ...fresh.settings, TRUST_PROXY: '1' })
})

afterAll(async () => {
  await server?.stop()
  await fresh?.remove()
})

let callers = 0

function fromNewIp(): Record<string, string> {
  callers += 1
  return { 'x-forwarded-for': `10.0.${callers >> 8}.${callers & 255}` }
}

async function signIn(): Promise<number> {
  const response = await fetch(`${server.url}/api/auth/signin`, {
    method: 'POST',
    body: JSON.stringify({ email: 'viewer@example.com', password: demoPassword, redirect: false }),
    headers: { 'content-type': 'application/json', ...fromNewIp() },
  })
  return response.status
}

function sendReset(from: Record<string, string>) {
  const input = { token: 'A'.repeat(43), password: 'a few words in a row' }
  return callAction(server.url, 'resetPassword', input, from)
}

async function resetPassword(): Promise<string> {
  return outcomeOf(await sendReset(fromNewIp()))
}

test('an action returns rate_limited while sign-ins fill the hashing queue', async () => {
  let isFilling = true
  const statuses = new Set<number>()
  const fill = async () => {
    while (isFilling) statuses.add(await signIn())
  }
  const filling = Array.from({ length: 40 * availableParallelism() }, fill)
  const outcomes = new Set<string>()
  while (!outcomes.has('rate_limited')) outcomes.add(await resetPassword())
  isFilling = false
  await Promise.all(filling)
  expect(statuses).toEqual(new Set([200, 429]))
  expect(outcomes).not.toContain('internal')
})

test('an action says how long to wait after its rate limit', async () => {
  const from = fromNewIp()
  for (let call = 1; call <= 30; call += 1) {
    expect(outcomeOf(await sendReset(from))).toBe('conflict')
  }
  expect(await sendReset(from)).toMatchObject({
    code: 'rate_limited',
    message: 'Too many attempts. Try again in 10 minutes.',
    retryAfter: expect.toSatisfy((seconds: number) => seconds > 540 && seconds <= 600),
  })
})
