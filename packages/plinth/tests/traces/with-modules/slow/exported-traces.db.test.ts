import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDemoAccounts } from '#auth/accounts/users'
import { type FreshDatabase, freshDatabase, openFresh } from '#testing/database/database'
import { callAction } from '#testing/server/call-action'
import { type Server, startServer } from '#testing/server/server'
import { demoPassword } from '#universal/users'
import {
  attributesOf,
  exportTo,
  type OtlpReceiver,
  otlpReceiver,
  type ReceivedSpan,
} from '../../../support/otlp-receiver'

let fresh: FreshDatabase
let folder: string
let receiver: OtlpReceiver
let server: Server
let token: string

const email = 'admin@example.com'
const newPassword = 'traces-never-have-this'
const searched = 'searched-by-a-user'

const breachRequests: Record<string, unknown>[] = []
const breaches = createServer((request, response) => {
  const { traceparent, tracestate } = request.headers
  breachRequests.push({ url: request.url, traceparent, tracestate })
  response.end(`${'0'.repeat(35)}:0`)
})

beforeAll(async () => {
  fresh = await freshDatabase()
  folder = mkdtempSync(join(tmpdir(), 'plinth-traces-'))
  const connection = await openFresh(fresh)
  await createDemoAccounts(connection.database)
  await connection.query(`insert into jobs (name) values ('core.sweep')`, [])
  await connection.close()
  receiver = await otlpReceiver()
  await once(breaches.listen(0, '127.0.0.1'), 'listening')
  server = await startServer({
    DATABASE_TIMEOUT_MS: '20000',
    DATA_DIR: folder,
    ...fresh.settings,
    ...exportTo(receiver),
    TRUST_PROXY: '1',
    PASSWORD_BREACH_CHECK: 'on',
    PASSWORD_BREACH_URL: `http://127.0.0.1:${(breaches.address() as AddressInfo).port}`,
    LOG_LEVEL: 'debug',
  })
})

afterAll(async () => {
  await server?.stop()
  await receiver?.close()
  breaches.close()
  await fresh?.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** A span is exported after it has ended, which may be after those around it. */
const patient = { timeout: 20_000 }

async function spanNamed(name: string, more: Partial<ReceivedSpan> = {}): Promise<ReceivedSpan> {
  const find = () => receiver.spans().find((span) => matches(span, { name, ...more }))
  await expect.poll(find, patient).toBeDefined()
  return find() as ReceivedSpan
}

function matches(span: ReceivedSpan, wanted: Partial<ReceivedSpan>): boolean {
  return Object.entries(wanted).every(([key, value]) => span[key as keyof ReceivedSpan] === value)
}

const childrenOf = ({ spanId }: ReceivedSpan) =>
  receiver.spans().filter(({ parentSpanId }) => parentSpanId === spanId)

/** From the outermost span. */
function pathTo(span: ReceivedSpan): string[] {
  const parent = receiver.spans().find(({ spanId }) => spanId === span.parentSpanId)
  return [...(parent ? pathTo(parent) : []), span.name]
}

const caller = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
const traceparent = `00-${caller.traceId}-${caller.spanId}-01`

test('an API request continues the trace of its caller, with its queries', async () => {
  const response = await fetch(`${server.url}/api/auth/signin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', traceparent },
    body: JSON.stringify({ email, password: demoPassword, redirect: false, transport: 'bearer' }),
  })
  expect(response.status).toBe(200)
  ;({ token } = await response.json())
  const request = await spanNamed('POST /api/auth/signin')
  expect(request).toMatchObject({
    traceId: caller.traceId,
    parentSpanId: caller.spanId,
    kind: 2,
    scope: 'plinth',
  })
  expect(attributesOf(request)).toEqual({
    'http.request.method': 'POST',
    'http.route': '/api/auth/signin',
    'http.response.status_code': 200,
    'url.path': '/api/auth/signin',
    'url.scheme': 'http',
    'server.address': 'localhost',
    'plinth.request_id': response.headers.get('x-request-id'),
  })
  const query = await spanNamed('select users', { parentSpanId: request.spanId })
  expect(query).toMatchObject({ traceId: caller.traceId, kind: 3 })
  expect(attributesOf(query)).toMatchObject({
    'db.system.name': 'postgresql',
    'db.query.text': expect.stringMatching(/"users"\."email".* = \$1/s),
  })
})

test('a page is one trace: guard, queries, and the spans of Next in that of the rendering', async () => {
  const response = await fetch(`${server.url}/admin/users?query=${searched}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(response.status).toBe(200)
  await response.text()
  const request = await spanNamed('GET /admin/users')
  expect(request.parentSpanId).toBeUndefined()
  expect(attributesOf(await spanNamed('guard view_users'))).toEqual({
    'plinth.decision': 'allowed',
  })
  const rendered = await spanNamed('render route (app) /admin/users')
  expect(rendered.scope).toBe('next.js')
  await expect
    .poll(() => pathTo(rendered), patient)
    .toEqual(['GET /admin/users', 'render', 'render route (app) /admin/users'])
  expect(new Set(childrenOf(request).map(({ name }) => name))).toEqual(
    new Set(['guard view_users', 'select users', 'select user_counts', 'render']),
  )
  const spans = receiver.spans().filter(({ traceId }) => traceId === request.traceId)
  expect(spans.filter(({ kind }) => kind === 2)).toHaveLength(1)
})

test('a refused page is no error; the guard has the reason', async () => {
  const response = await fetch(`${server.url}/admin/audit`, { redirect: 'manual' })
  expect(response.status).toBe(307)
  const request = await spanNamed('GET /admin/audit')
  const [guard] = childrenOf(request).filter(({ name }) => name.startsWith('guard'))
  expect(attributesOf(guard as ReceivedSpan)).toEqual({ 'plinth.decision': 'unauthenticated' })
  const spans = receiver.spans().filter(({ traceId }) => traceId === request.traceId)
  expect(spans.filter(({ status }) => status?.code === 2)).toEqual([])
})

test('a mutation, its request to another server, and its mail', async () => {
  const input = { currentPassword: demoPassword, newPassword }
  const trace = { traceparent, tracestate: 'vendor=value' }
  const headers = { cookie: `authjs.session-token=${token}`, ...trace }
  const result = await callAction(server.url, 'changePassword', input, headers)
  expect(result).toEqual({ redirected: '/account/sign-in' })
  const mutation = await spanNamed('mutation change_password')
  expect(attributesOf(mutation)).toEqual({ 'plinth.outcome': 'success' })
  expect(childrenOf(mutation).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['insert mail_queue', 'insert audit_events']),
  )
  const sent = await spanNamed('GET 127.0.0.1')
  expect(sent.traceId).toBe(mutation.traceId)
  expect(attributesOf(sent)).toMatchObject({ 'http.response.status_code': 200 })
  expect(breachRequests).toEqual([
    { url: expect.any(String), traceparent: `00-${sent.traceId}-${sent.spanId}-01` },
  ])
  await expect.poll(() => pathTo(mutation)[0], patient).toBe('POST /account/sign-in')
  // Next requests the page that the browser is sent to.
  await spanNamed('GET /account/sign-in', { traceId: mutation.traceId })
  const mail = await spanNamed('mail account_changed')
  expect(mail.parentSpanId).toBeUndefined()
  expect(attributesOf(mail)).toEqual({
    'plinth.mail.id': expect.any(Number),
    'plinth.attempt': 1,
    'plinth.outcome': 'sent',
  })
  expect(childrenOf(mail).map(({ name }) => name)).toContain('delete mail_queue')
})

test('a job is a trace, with its attempt and its queries', async () => {
  const job = await spanNamed('job core.sweep')
  expect(job.parentSpanId).toBeUndefined()
  expect(attributesOf(job)).toEqual({
    'plinth.job.id': expect.any(Number),
    'plinth.attempt': 1,
    'plinth.outcome': 'success',
  })
  expect(childrenOf(job).length).toBeGreaterThan(0)
})

test('every line of a request has the id of its trace', async () => {
  const id = 'a-request-with-lines'
  const response = await fetch(`${server.url}/api/auth/signin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-request-id': id, traceparent },
    body: '{',
  })
  expect(response.status).toBe(400)
  const ofTrace = () => server.log().filter(({ traceId }) => traceId === caller.traceId)
  await expect.poll(() => ofTrace().some(({ requestId }) => requestId === id)).toBe(true)
  const lines = server.log().filter(({ requestId }) => requestId !== undefined)
  expect(lines.length).toBeGreaterThan(3)
  for (const line of lines) {
    expect(line).toMatchObject({
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
    })
  }
  const { traceId } = await spanNamed('mail account_changed')
  const mailLine = () => server.log().find(({ msg }) => msg === 'mail sent')
  await expect.poll(mailLine).toMatchObject({ traceId })
})

test('polls and the start of Next make no traces', async () => {
  await spanNamed('job core.sweep')
  const roots = receiver.spans().filter(({ parentSpanId }) => !parentSpanId)
  const names = new Set(roots.map(({ name }) => name.split(' ')[0]))
  expect([...names].filter((name) => !/^(GET|POST|mail|job)$/.test(name ?? ''))).toEqual([])
})

test('spans have no parameter, email, token, password or text of a user', async () => {
  await spanNamed('mail account_changed')
  await spanNamed('GET /admin/users')
  const exported = receiver.received.map(({ body }) => String(body)).join('\n')
  const outbox = join(fresh.settings.DATA_DIR ?? folder, 'outbox')
  const [mail = ''] = readdirSync(outbox).map((name) => readFileSync(join(outbox, name), 'utf8'))
  expect(mail).toContain(email)
  const prefix = String(breachRequests[0]?.url).split('/').at(-1)
  expect(prefix).toMatch(/^[0-9A-F]{5}$/)
  const secrets = [email, '@example', token, demoPassword, newPassword, searched, `range/${prefix}`]
  for (const secret of secrets) expect(exported).not.toContain(secret)
})
