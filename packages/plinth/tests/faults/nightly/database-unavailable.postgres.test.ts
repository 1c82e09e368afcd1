import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routesOf } from '#api/api'
import { anyone } from '#guard/policy'
import { nightly } from '#testing/nightly'
import {
  builtActions,
  parseActionResponse,
  sendAction,
  submitForm,
} from '#testing/server/call-action'
import { type Server, startServer } from '#testing/server/server'
import { modules } from '@/modules'
import { codeOf } from '../../../scripts/check/imports.mjs'
import { findPostgres, startPostgres } from '../../../scripts/services/programs.mjs'

/** Its own cluster, because the test stops it. */
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
  await postgres?.stop()
})

type Health = { status: number; code: string | undefined; retryAfter: string | null }

async function health(): Promise<Health> {
  const response = await fetch(`${server.url}/api/health`)
  const { code } = await response.json()
  return { status: response.status, code, retryAfter: response.headers.get('retry-after') }
}

/** Never `null`, which would mean signed out. */
async function expectUnavailable(path: string, init: RequestInit = {}): Promise<void> {
  const response = await fetch(server.url + path, init)
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('2')
  expect((await response.json()).code).toBe('database_unreachable')
}

const unknownSession = { cookie: `authjs.session-token=${'A'.repeat(43)}` }

/** For pages that read the session or other data. */
async function expectPageUnavailable(path: string, init: RequestInit = {}): Promise<string> {
  const response = await fetch(server.url + path, { ...init, redirect: 'manual' })
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('2')
  expect(response.headers.get('cache-control')).toBe('private, no-store')
  expect(response.headers.get('content-security-policy')).not.toContain('nonce')
  const html = await response.text()
  expect(html).toContain('The service is temporarily unavailable.')
  return html
}

/** Every route that reads the session to authorize. */
const guarded = routesOf(modules)
  .filter(({ declaration: { authorize } }) => authorize !== anyone)
  .map(({ declaration: { method, path } }) => [method.toUpperCase(), `/api${path}`] as const)

/** Every page that reads the session. None has been requested since the start. */
const pages = (await builtPages()).map((path) => path.replace(/\[\w+\]/g, crypto.randomUUID()))

async function expectActionUnavailable(): Promise<void> {
  const input = { email: 'user@example.com' }
  const response = await sendAction(server.url, 'requestPasswordReset', input)
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('2')
  const result = await parseActionResponse('requestPasswordReset', response)
  expect(result).toMatchObject({ ok: false, code: 'unavailable', typed: input })
}

/** Without JavaScript, and the page itself needs the database too. The typed text is shown to copy. */
async function expectFormPageUnavailable(): Promise<void> {
  const action = builtActions().get('updateProfile')
  const body = new FormData()
  body.set(`$ACTION_ID_${action?.id}`, '')
  body.set('name', 'New <name>')
  body.set('password', 'typed password')
  const init = { method: 'POST', body, headers: unknownSession }
  const html = await expectPageUnavailable(action?.path ?? '', init)
  expect(html).toContain('New &lt;name&gt;</textarea>')
  expect(html).not.toContain('typed password')
}

/** Without JavaScript the page is rendered again, with the message and the typed text. */
async function expectFormUnavailable(): Promise<void> {
  const response = await submitForm(`${server.url}/forgot`, { email: 'user@example.com' })
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('2')
  const html = await response.text()
  expect(html).toContain('The database is unavailable')
  expect(html).toContain('value="user@example.com"')
}

/** Polls until the status is reached. Only 200 and 503 are allowed on the way. */
async function until(status: 200 | 503): Promise<Health> {
  const deadline = performance.now() + 20_000
  for (;;) {
    const current = await health()
    if (current.status === status) return current
    expect([200, 503]).toContain(current.status)
    if (performance.now() > deadline) throw new Error(`Health did not become ${status}.`)
    await pause(20)
  }
}

test('returns 503 while PostgreSQL is down and recovers without a restart', {
  timeout: 90_000,
}, async () => {
  expect(pages.length).toBeGreaterThan(4)
  for (let round = 0; round < (nightly ? 3 : 1); round += 1) {
    await until(200)
    let polling = true
    const statuses = new Set<number>()
    const pollers = Array.from({ length: 8 }, async () => {
      while (polling) statuses.add((await health()).status)
    })

    await postgres.crash()
    expect(await until(503)).toMatchObject({ code: 'unhealthy', retryAfter: '2' })
    expect((await fetch(`${server.url}/api/health/live`)).status).toBe(200)
    await expectUnavailable('/api/auth/session')
    await expectUnavailable('/api/auth/session', {
      headers: { authorization: `Bearer ${'A'.repeat(43)}` },
    })
    await expectUnavailable('/api/auth/session', { headers: unknownSession })
    await expectUnavailable('/api/auth/signin', {
      method: 'POST',
      body: '{"email":"admin@example.com","password":"plinth-demo-1"}',
      headers: { 'content-type': 'application/json' },
    })
    for (const [method, path] of guarded) {
      await expectUnavailable(path, { method, headers: unknownSession })
    }
    for (const page of round === 0 ? pages : pages.slice(0, 1)) {
      await expectPageUnavailable(page, { headers: unknownSession })
    }
    await expectPageUnavailable(`/reset?token=${'A'.repeat(43)}`)
    // A navigation of Next's client.
    await expectPageUnavailable(`/reset?token=${'A'.repeat(43)}&_rsc=1`, { headers: { rsc: '1' } })
    await expectFormPageUnavailable()
    expect((await fetch(`${server.url}/sign-in`)).status).toBe(200)
    await expectActionUnavailable()
    await expectFormUnavailable()
    await postgres.start()
    await until(200)
    polling = false
    await Promise.all(pollers)
    expect([...statuses].sort()).toEqual([200, 503])
  }
  expect(server.child.exitCode).toBeNull()
})

/** The paths of all pages that use `page()`, with parameters as in `/things/[id]`. */
async function builtPages(): Promise<string[]> {
  const sources = await codeOf('.')
  return sources.flatMap((path) => {
    if (!/^src\/app\/.*\/page\.tsx$/.test(path)) return []
    const source = readFileSync(path, 'utf8')
    if (!/^export default page\(/m.test(source)) return []
    return /\bpath: '([^']+)'/.exec(source)?.[1] ?? []
  })
}
