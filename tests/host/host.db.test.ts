import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, type Place } from '../support/database'
import { type Server, startServer } from '../support/server'

let place: Place
let server: Server

beforeAll(async () => {
  place = await freshDatabase()
  server = await startServer(place.settings)
})

afterAll(async () => {
  await server.stop()
  await place.remove()
})

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(server.url + path, { headers })

/** Waits for the line of a request in the log, which is written in blocks. */
async function lineOf(requestId: string) {
  await server.waitFor(new RegExp(`"msg":"request".*"requestId":"${requestId}"`))
  return server.log().find((line) => line.requestId === requestId && line.msg === 'request')
}

describe('the interface', () => {
  test('answers the same whether it is asked the short way or the long', async () => {
    const shape = async (response: Response) => ({
      status: response.status,
      body: await response.text(),
      headers: Object.fromEntries(
        [...response.headers].filter(([name]) => !['date', 'x-request-id'].includes(name)),
      ),
    })
    await get('/api/health')
    const short = await shape(await get('/api/health'))
    const long = await shape(await get('/api/health', { origin: server.url }))
    expect(short).toEqual(long)
    expect(short.body).toBe('{"status":"ok"}')
  })

  test.each(['/api', '/api/', '/api/nowhere', '/api/auth/%00', '/api/%E0%A4%A'])(
    'an unknown path is a problem, not a page: %s',
    async (path) => {
      const response = await get(path)
      expect(response.status).toBe(404)
      expect(response.headers.get('content-type')).toBe('application/problem+json')
      expect(response.headers.get('x-request-id')).toBeTruthy()
      expect(response.headers.get('cache-control')).toBe('private, no-store')
    },
  )

  test('a body without a declared length is cut off at 64 KiB', async () => {
    const status = await new Promise((resolve, reject) => {
      const post = request(`${server.url}/api/health`, { method: 'POST' }, (response) => {
        resolve(response.statusCode)
        post.destroy()
      })
      post.on('error', reject)
      post.setHeader('content-type', 'application/json')
      post.write('x'.repeat(64 * 1024))
      post.write('x')
    })
    expect(status).toBe(413)
  })

  test('headers beyond 16 KiB are refused', async () => {
    const response = await get('/api/health', { 'x-long': 'x'.repeat(17 * 1024) })
    expect(response.status).toBe(431)
  })
})

describe('odd requests', () => {
  const junk = Array.from({ length: 99 }, (_, index) => `x-junk-${index}: 1`)

  test.each<[string, string[], RegExp]>([
    [
      'a whole address',
      ['GET http://evil.example/api/health HTTP/1.1', 'Host: x'],
      /^HTTP\/1.1 200 /,
    ],
    [
      'a path that leads out of the interface',
      ['GET /api/%2e%2e/start HTTP/1.1', 'Host: x'],
      /^HTTP\/1.1 404 [\s\S]*x-request-id: \w/i,
    ],
    ['no path at all', ['OPTIONS * HTTP/1.1', 'Host: x'], /^HTTP\/1.1 400 /],
    ['a host that is none', ['GET /api/nowhere HTTP/1.1', 'Host: a b'], /^HTTP\/1.1 400 /],
    [
      'an upgrade that nobody knows',
      ['GET /api/health HTTP/1.1', 'Host: x', 'Connection: Upgrade', 'Upgrade: h2c'],
      /^HTTP\/1.1 200 /,
    ],
    [
      'more headers than are read',
      ['GET /api/health HTTP/1.1', 'Host: x', ...junk, 'a: b'],
      /^HTTP\/1.1 431 /,
    ],
    [
      'a foreign origin behind many headers',
      [
        'POST /api/auth/signout HTTP/1.1',
        'Host: x',
        ...junk.slice(9),
        'Sec-Fetch-Site: cross-site',
        'Content-Length: 0',
      ],
      /^HTTP\/1.1 403 /,
    ],
  ])('%s', async (_, lines, answer) => {
    // A page first: that is when Next begins to listen for upgrades.
    await get('/')
    expect(await raw(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`)).toMatch(answer)
  })
})

test('requests that come one behind another are answered in their order', async () => {
  const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n`
  const answer = await raw(
    [
      request('/api/health'),
      request('/api/auth/session'),
      request('/api/auth/session?full'),
      request('/api/health'),
      `${request('/api/nowhere')}Connection: close\r\n`,
    ].join('\r\n') + '\r\n',
  )
  expect(answer.match(/HTTP\/1.1 \d+|\{"status":"ok"}|null/g)).toEqual([
    'HTTP/1.1 200',
    '{"status":"ok"}',
    'HTTP/1.1 200',
    'null',
    'HTTP/1.1 200',
    'null',
    'HTTP/1.1 200',
    '{"status":"ok"}',
    'HTTP/1.1 404',
  ])
})

test('headers that never end are cut off', async () => {
  const answer = await raw('GET /api/health HTTP/1.1\r\nHost: x\r\n')
  expect(answer).toMatch(/^HTTP\/1.1 408 /)
})

/** Sends these bytes and returns what comes back until the other side closes. */
async function raw(text: string): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.write(text)
  let answer = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    answer += chunk
    if (answer.includes('\r\n\r\n')) socket.end()
  })
  await once(socket, 'close')
  return answer
}

describe('pages', () => {
  test.each(['/', '/nowhere'])(
    '%s lives under an enforced policy without inline scripts',
    async (path) => {
      const response = await get(path)
      const policy = response.headers.get('content-security-policy') ?? ''
      const scripts = policy.split('; ').find((directive) => directive.startsWith('script-src '))
      expect(scripts).toContain("'self'")
      expect(scripts).toContain("'sha256-")
      expect(scripts).not.toMatch(/unsafe|\*|https?:/)
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).toContain("object-src 'none'")
      expect(response.headers.get('content-security-policy-report-only')).toBeNull()
      expect(response.headers.get('x-frame-options')).toBe('DENY')
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(response.headers.get('referrer-policy')).toBe('strict-origin')
      expect(response.headers.get('cross-origin-opener-policy')).toBe('same-origin')
      expect(response.headers.get('x-powered-by')).toBeNull()
      expect(response.headers.get('x-request-id')).toMatch(/^[\w-]+$/)
    },
  )

  test('a caller cannot choose the nonce', async () => {
    const chosen = "script-src 'nonce-chosen-by-a-stranger'"
    const response = await get('/nowhere', { 'content-security-policy': chosen })
    expect(response.headers.get('content-security-policy')).not.toContain('chosen-by-a-stranger')
    expect(await response.text()).not.toContain('chosen-by-a-stranger')
  })

  test('one that does not exist is 404, and what is for developers does not exist', async () => {
    expect((await get('/nowhere')).status).toBe(404)
    expect((await get('/dev/ui')).status).toBe(404)
  })
})

describe('the log', () => {
  test('has one line for each request, with its id, route, status and duration', async () => {
    await get('/api/nowhere', { 'x-request-id': 'for-the-log-1' })
    await get('/api/health', { 'x-request-id': 'for-the-log-2' })
    await get('/?token=very-secret', { 'x-request-id': 'for-the-log-3' })
    expect(await lineOf('for-the-log-1')).toMatchObject({
      level: 'info',
      method: 'GET',
      status: 404,
    })
    expect(await lineOf('for-the-log-2')).toMatchObject({ route: '/api/health', status: 200 })
    const page = await lineOf('for-the-log-3')
    expect(page).toMatchObject({ route: '/', status: 200 })
    expect(page?.milliseconds).toBeGreaterThan(0)
    expect(server.output()).not.toContain('very-secret')
    for (const line of server.output().trimEnd().split('\n'))
      expect(() => JSON.parse(line)).not.toThrow()
    const lines = server.log().filter(({ requestId }) => requestId === 'for-the-log-2')
    expect(lines).toHaveLength(1)
  })

  test('never holds what a caller sent as a secret', async () => {
    const headers = { cookie: 'authjs.session-token=hunter2', authorization: 'Bearer hunter2' }
    await get('/api/nowhere', { ...headers, 'x-request-id': 'with-secrets' })
    await lineOf('with-secrets')
    expect(server.output()).not.toContain('hunter2')
  })
})
