import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routesOf } from '@/api'
import { anyone } from '@/core/guard/policy'
import { modules } from '@/modules'
import { findPostgres, startPostgres } from '../../scripts/services/postgres.mjs'
import { callAction } from '../support/call-action'
import { pagesOfBuild } from '../support/pages'
import { type Server, startServer } from '../support/server'

/** A cluster of its own, because it is stopped. */
let postgres: Awaited<ReturnType<typeof startPostgres>>
let server: Server

beforeAll(async () => {
  postgres = await startPostgres(process.env.TEST_POSTGRES_BIN ?? findPostgres())
  server = await startServer({
    DATABASE_URL: postgres.url,
    AUTH_SECRET: 'only-for-tests-'.repeat(3),
  })
})

afterAll(async () => {
  await server?.stop()
  await postgres?.end()
})

type Answer = { status: number; code: string | undefined; retryAfter: string | null }

async function health(): Promise<Answer> {
  const response = await fetch(`${server.url}/api/health`)
  const { code } = await response.json()
  return { status: response.status, code, retryAfter: response.headers.get('retry-after') }
}

/** Never `null`, which would say that nobody is signed in. */
async function expectAway(path: string, init: RequestInit = {}): Promise<void> {
  const response = await fetch(server.url + path, init)
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('2')
  expect((await response.json()).code).toBe('database_unreachable')
}

/** A page that has to ask the database, for who looks at it or for what it shows. */
async function expectPageAway(path: string, headers: HeadersInit = {}): Promise<void> {
  const response = await fetch(server.url + path, { headers, redirect: 'manual' })
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('2')
  expect(response.headers.get('cache-control')).toBe('private, no-store')
  expect(response.headers.get('content-security-policy')).not.toContain('nonce')
  expect(await response.text()).toContain('We cannot reach our data right now.')
}

/** Whatever only some may use has to know who asks. */
const guarded = routesOf(modules)
  .filter(({ declaration: { who } }) => who !== anyone)
  .map(({ declaration: { method, path } }) => [method.toUpperCase(), `/api${path}`] as const)

/** Every page that reads the session; none of them has been visited since the start. */
const pages = pagesOfBuild().map((path) => path.replace(/\[\w+\]/g, crypto.randomUUID()))

async function expectActionAway(): Promise<void> {
  const input = { email: 'somebody@example.com' }
  const called = await callAction(server.url, 'askForNewPassword', input)
  expect(called).toMatchObject({ ok: false, code: 'unavailable', typed: input })
}

/** Asks until the answer is this; every other answer on the way must be one of the two. */
async function until(status: 200 | 503): Promise<Answer> {
  const giveUp = performance.now() + 20_000
  for (;;) {
    const answer = await health()
    if (answer.status === status) return answer
    expect([200, 503]).toContain(answer.status)
    if (performance.now() > giveUp) throw new Error(`Health did not become ${status}.`)
    await pause(20)
  }
}

test('PostgreSQL goes and comes back under requests: 503, then 200, in one process', {
  timeout: 90_000,
}, async () => {
  expect(pages.length).toBeGreaterThan(4)
  for (let round = 0; round < 3; round += 1) {
    await until(200)
    let asking = true
    const statuses = new Set<number>()
    const crowd = Array.from({ length: 8 }, async () => {
      while (asking) statuses.add((await health()).status)
    })

    await postgres.stop()
    expect(await until(503)).toMatchObject({ code: 'unhealthy', retryAfter: '2' })
    expect((await fetch(`${server.url}/api/health/live`)).status).toBe(200)
    await expectAway('/api/auth/session')
    await expectAway('/api/auth/session', {
      headers: { authorization: `Bearer ${'A'.repeat(43)}` },
    })
    await expectAway('/api/auth/session', {
      headers: { cookie: `authjs.session-token=${'A'.repeat(43)}` },
    })
    await expectAway('/api/auth/signin', {
      method: 'POST',
      body: '{"email":"admin@example.com","password":"plinth-demo-1"}',
      headers: { 'content-type': 'application/json' },
    })
    for (const [method, path] of guarded) {
      await expectAway(path, {
        method,
        headers: { cookie: `authjs.session-token=${'A'.repeat(43)}` },
      })
    }
    for (const page of round === 0 ? pages : pages.slice(0, 1)) {
      await expectPageAway(page, { cookie: `authjs.session-token=${'A'.repeat(43)}` })
    }
    await expectPageAway(`/reset?token=${'A'.repeat(43)}`)
    expect((await fetch(`${server.url}/sign-in`)).status).toBe(200)
    await expectActionAway()
    await postgres.start()
    await until(200)
    asking = false
    await Promise.all(crowd)
    expect([...statuses].sort()).toEqual([200, 503])
  }
  expect(server.child.exitCode).toBeNull()
})
