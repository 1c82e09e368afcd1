import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { auditEvents } from '#db/schema'
import { builtActions, submitForm } from '#testing/server/call-action'
import { runningServer } from '#testing/server/running-server'

const hasCpuTimes = process.platform === 'linux'
const app = runningServer({ TRUST_PROXY: '1' })
const { id } = builtActions().get('requestPasswordReset') ?? { id: '' }

const post = (init: RequestInit, path = '/forgot') =>
  fetch(app.url + path, { method: 'POST', ...init })

/** How often the action ran. */
const runs = () =>
  app.database.$count(auditEvents, eq(auditEvents.action, 'request_reset_password'))

const part = (name: string, value = '', more = '') =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
const multipart = (parts: string, headers = {}) => ({
  body: `${parts}--x--\r\n`,
  headers: { 'content-type': 'multipart/form-data; boundary=x', ...headers },
})
const urlEncoded = (body: string, headers = {}) => ({
  body,
  headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
})
const call = { 'next-action': id }
const argumentsOf = (body: string) => ({
  body,
  headers: { 'content-type': 'text/plain;charset=UTF-8', ...call },
})
const addressed = part(`$ACTION_ID_${id}`)
const bound = part('$ACTION_REF_1') + part('$ACTION_1:0', JSON.stringify({ id, bound: '$@1' }))
const files = part('a', '', '; filename=""').repeat(14_000)
const lists = `[${'[],'.repeat(300_000)}1]`

const refused: [name: string, init: RequestInit][] = [
  ['files', multipart(files)],
  ['files in a call', multipart(files, call)],
  ['files in a form with an action', multipart(addressed + files)],
  ['201 fields with an action', multipart(addressed + part('email').repeat(200))],
  ['a long name', multipart(addressed + part('a'.repeat(201)))],
  ['URL-encoded fields', urlEncoded('a&'.repeat(500_000))],
  ['URL-encoded fields in a call', urlEncoded('a&'.repeat(500_000), call)],
  ['a long URL-encoded name', urlEncoded('%41'.repeat(300_000))],
  ['lists as an argument', argumentsOf(lists)],
  ['lists in a part of a call', multipart(part('0', lists), call)],
  ['lists bound to a form', multipart(bound + part('$ACTION_1:1', lists))],
]

describe('a form above the limits', () => {
  test.each(refused)('is refused with 413 and does nothing: %s', async (_, init) => {
    const before = await runs()
    const response = await post(init)
    expect(response.status).toBe(413)
    const { code, detail } = (await response.json()) as Record<string, string>
    expect(code).toBe('body_too_large')
    expect(detail).toMatch(/at most 200 fields/)
    expect(await runs()).toBe(before)
  })

  test.skipIf(!hasCpuTimes)(
    'costs no more CPU than a few pages',
    async () => {
      const page = await cpuTimeOf(async () => (await fetch(`${app.url}/forgot`)).text())
      const costs: Record<string, number> = {}
      for (const [name, init] of refused) {
        costs[name] = await cpuTimeOf(async () => (await post(init)).text())
      }
      // Each took 20 to 250 times as long as the page.
      const costly = Object.entries(costs).filter(([, cost]) => cost > 8 * page + 100)
      expect(costly, `a page: ${page}`).toEqual([])
    },
    120_000,
  )
})

describe('a form at the limits', () => {
  const name = 'n'.repeat(200)

  test('runs its action without JavaScript', async () => {
    const before = await runs()
    const form = new FormData()
    form.append(`$ACTION_ID_${id}`, '')
    form.append('email', 'largest-form@example.com')
    for (let count = 2; count < 200; count += 1) form.append(name, 'text, with [signs]')
    expect((await post({ body: form })).status).toBe(200)
    expect(await runs()).toBe(before + 1)
  })

  test('runs its action with JavaScript', async () => {
    const before = await runs()
    const form = new FormData()
    form.append('_1_email', 'largest-call@example.com')
    for (let count = 2; count < 200; count += 1) form.append(`_1_${count}`, ',['.repeat(1000))
    form.append('0', '["$K1"]')
    const response = await post({ body: form, headers: { 'next-action': id } })
    expect(response.status).toBe(200)
    expect(await runs()).toBe(before + 1)
  })

  test('is sent by a page', async () => {
    const before = await runs()
    expect((await submitForm(`${app.url}/forgot`, { email: 'page@example.com' })).status).toBe(200)
    expect(await runs()).toBe(before + 1)
  })
})

test('a form that addresses no action is not parsed', async () => {
  const form = new FormData()
  form.append('email', 'no-action@example.com')
  const response = await post({ body: form })
  expect(response.status).toBe(400)
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  const fields = new URLSearchParams({ email: 'no-action@example.com' })
  expect((await post({ body: fields })).status).toBe(200)
})

test.each(['/api/auth/signin', '/api/auth/signout', '/api/auth/callback/credentials'])(
  'the API refuses a form with more than 200 fields or a long name: %s',
  async (path) => {
    const email = 'email=nobody%40example.com&password=a+wrong+password'
    const type = 'application/x-www-form-urlencoded'
    for (const body of [`${email}${'&a'.repeat(199)}`, `${email}&${'a'.repeat(201)}=`]) {
      const response = await post({ body, headers: { 'content-type': type } }, path)
      expect(response.status).toBe(413)
      expect(await response.json()).toMatchObject({ code: 'body_too_large' })
    }
    const largest = `${email}${'&a'.repeat(198)}`
    const { status } = await post({ body: largest, headers: { 'content-type': type } }, path)
    expect(status).not.toBe(413)
  },
)

test('a query with more than 200 fields is refused with 414', async () => {
  const statusOf = async (path: string) => (await fetch(app.url + path)).status
  for (const path of ['/forgot', '/api/health', '/api/auth/session']) {
    expect(await statusOf(`${path}?${'a&'.repeat(199)}a`)).toBe(200)
    expect(await statusOf(`${path}?${'a&'.repeat(200)}a`)).toBe(414)
  }
})

/** The response to a form that is sent in chunks of a byte. */
async function sendInChunks(path: string, chunks: number): Promise<string> {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
  const closed = once(socket, 'close').catch(() => {})
  const received: Buffer[] = []
  socket.on('data', (data) => received.push(data)).on('error', () => {})
  const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n`
  const type = 'content-type: application/x-www-form-urlencoded\r\ntransfer-encoding: chunked\r\n'
  socket.write(`${head}${type}\r\n2\r\na=\r\n${'1\r\na\r\n'.repeat(chunks)}0\r\n\r\n`)
  await closed
  return Buffer.concat(received).toString()
}

describe.each(['/forgot', '/api/auth/signin'])('a body in chunks of a byte to %s', (path) => {
  test('is read if there are few', async () => {
    expect(await sendInChunks(path, 900)).toMatch(/^HTTP\/1\.1 (200|422)/)
  })

  test('is not read if there are many', async () => {
    expect(await sendInChunks(path, 60_000)).toBe('')
    expect((await fetch(`${app.url}/api/health`)).status).toBe(200)
  })

  test.skipIf(!hasCpuTimes)('costs no more CPU than a few pages', async () => {
    const page = await cpuTimeOf(async () => (await fetch(`${app.url}/forgot`)).text())
    // It took 60 times as long as the page.
    expect(await cpuTimeOf(() => sendInChunks(path, 60_000))).toBeLessThan(10 * page + 100)
  })
})

/** The server's CPU time for five calls, in milliseconds. The code runs once before. */
async function cpuTimeOf(call: () => Promise<unknown>): Promise<number> {
  await call()
  const before = cpuTime()
  for (let count = 0; count < 5; count += 1) await call()
  return cpuTime() - before
}

function cpuTime(): number {
  const stat = readFileSync(`/proc/${app.server.pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return 10 * (Number(fields[11]) + Number(fields[12]))
}
