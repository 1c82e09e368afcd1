import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#testing/database/database'
import { type Server, startServer } from '#testing/server/server'

let fresh: FreshDatabase
let server: Server

beforeAll(async () => {
  fresh = await freshDatabase()
  server = await startServer(fresh.settings)
})

afterAll(async () => {
  await server.stop()
  await fresh.remove()
})

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(server.url + path, { headers })

/** Waits for the log line of a request: lines are written in batches. */
async function lineOf(requestId: string) {
  await server.waitFor(new RegExp(`"msg":"request".*"requestId":"${requestId}"`))
  return server.log().find((line) => line.requestId === requestId && line.msg === 'request')
}

describe('the API', () => {
  test('responds the same on the fast path and through Hono', async () => {
    const shape = async (response: Response) => ({
      status: response.status,
      body: await response.text(),
      headers: Object.fromEntries(
        [...response.headers].filter(([name]) => !['date', 'x-request-id'].includes(name)),
      ),
    })
    await get('/api/health')
    const fast = await shape(await get('/api/health'))
    const full = await shape(await get('/api/health', { origin: server.url }))
    expect(fast).toEqual(full)
    expect(fast.body).toBe('{"status":"ok"}')
  })

  test.each(['/api', '/api/', '/api/unknown', '/api/auth/%00'])(
    'returns a problem for an unknown path: %s',
    async (path) => {
      const response = await get(path)
      expect(response.status).toBe(404)
      expect(response.headers.get('content-type')).toBe('application/problem+json')
      expect(response.headers.get('x-request-id')).toBeTruthy()
      expect(response.headers.get('cache-control')).toBe('private, no-store')
    },
  )

  test('returns 413 for a streamed body above 64 KiB', async () => {
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

  test('returns 431 for headers above 16 KiB', async () => {
    const response = await get('/api/health', { 'x-long': 'x'.repeat(17 * 1024) })
    expect(response.status).toBe(431)
  })
})

describe('unusual requests', () => {
  const fillers = Array.from({ length: 99 }, (_, index) => `x-filler-${index}: 1`)

  test.each<[string, string[], RegExp]>([
    [
      'an absolute URL',
      ['GET http://evil.example/api/health HTTP/1.1', 'Host: x'],
      /^HTTP\/1.1 200 /,
    ],
    ['no path', ['OPTIONS * HTTP/1.1', 'Host: x'], /^HTTP\/1.1 400 /],
    ['an invalid host', ['GET /api/unknown HTTP/1.1', 'Host: a b'], /^HTTP\/1.1 400 /],
    [
      'an unknown upgrade',
      ['GET /api/health HTTP/1.1', 'Host: x', 'Connection: Upgrade', 'Upgrade: h2c'],
      /^HTTP\/1.1 200 /,
    ],
    [
      'too many headers',
      ['GET /api/health HTTP/1.1', 'Host: x', ...fillers, 'a: b'],
      /^HTTP\/1.1 431 /,
    ],
    [
      'a cross-site header after many others',
      [
        'POST /api/auth/signout HTTP/1.1',
        'Host: x',
        ...fillers.slice(9),
        'Sec-Fetch-Site: cross-site',
        'Content-Length: 0',
      ],
      /^HTTP\/1.1 403 /,
    ],
  ])('responds to %s', async (_, lines, expected) => {
    // Next starts to listen for upgrades with the first page.
    await get('/')
    expect(await raw(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`)).toMatch(expected)
  })
})

describe('the one entrance to the API', () => {
  test.each([
    '/./api/health',
    '/x/../api/health',
    '/x/%2e%2E/api/health',
    '/.%2e/api/health',
    '/api/./health',
    '/api/%2e%2e/start',
    '/_next/static/../../api/health',
    '/articles/..',
    '/x\\..\\api/health',
    '/\\api/health',
    '//api/health',
    '//evil.example/api/health',
    'http://x//api/health',
    '/api#/health',
    '/%zz',
    '/api/%E0%A4%A',
    '/articles/%E0%A4%A',
    '/articles/%c0%ae%c0%ae/x',
  ])('rejects %s', async (target) => {
    const output = await raw(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    expect(output).toMatch(/^HTTP\/1.1 400 [\s\S]*"code":"bad_request"/)
    expect(output).toMatch(/x-content-type-options: nosniff/i)
    expect(output).toMatch(/content-security-policy: default-src 'none'/i)
  })

  test.each([
    '/%61pi/health',
    '/api%2fhealth',
    '/%2fapi/health',
    '/API/health',
    '/api;/health',
    '/x//api/health',
    '/en/api/health',
    '/%252e%252e/api/health',
  ])('is not reached by %s', async (target) => {
    const response = await fetch(`${server.url}${target}`, { redirect: 'manual' })
    expect([404, 308]).toContain(response.status)
    expect(await response.text()).not.toContain('{"status"')
  })

  test.each(['/api/health', '/api/auth/session', '/api/auth/csrf', '/sign-in', '/'])(
    'rejects two Host headers for %s',
    async (path) => {
      const hosts = ['Host: localhost', 'host: evil.example'].join('\r\n')
      const output = await raw(`GET ${path} HTTP/1.1\r\n${hosts}\r\nConnection: close\r\n\r\n`)
      expect(output).toMatch(/^HTTP\/1.1 400 [\s\S]*"code":"bad_request"/)
    },
  )
})

test('responds to pipelined requests in order', async () => {
  const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n`
  const output = await raw(
    [
      request('/api/health'),
      request('/api/auth/session'),
      request('/api/auth/session?full'),
      request('/api/health'),
      `${request('/api/unknown')}Connection: close\r\n`,
      '',
    ].join('\r\n'),
  )
  expect(output.match(/HTTP\/1.1 \d+|\{"status":"ok"}|null/g)).toEqual([
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

test('returns 408 for headers that never end', async () => {
  const output = await raw('GET /api/health HTTP/1.1\r\nHost: x\r\n')
  expect(output).toMatch(/^HTTP\/1.1 408 /)
})

/** Sends raw text and returns everything received until the server closes. */
async function raw(text: string): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.write(text)
  let received = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    received += chunk
    if (received.includes('\r\n\r\n')) socket.end()
  })
  await once(socket, 'close')
  return received
}

describe('pages', () => {
  test('are compressed', async () => {
    const { headers } = await get('/sign-in', { 'accept-encoding': 'gzip' })
    expect(headers.get('content-encoding')).toBe('gzip')
  })

  test.each(['/', '/unknown'])('%s has an enforced CSP without inline scripts', async (path) => {
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
  })

  test('a caller cannot choose the nonce', async () => {
    const chosen = "script-src 'nonce-chosen-by-the-caller'"
    const response = await get('/unknown', { 'content-security-policy': chosen })
    expect(response.headers.get('content-security-policy')).not.toContain('chosen-by-the-caller')
    expect(await response.text()).not.toContain('chosen-by-the-caller')
  })

  test('return 404 for unknown and development pages', async () => {
    expect((await get('/unknown')).status).toBe(404)
    expect((await get('/dev/ui')).status).toBe(404)
    expect((await get('/_global-error')).status).toBe(404)
  })
})

describe('the log', () => {
  test('has one line per request with its id, route, status and duration', async () => {
    await get('/api/unknown', { 'x-request-id': 'for-the-log-1' })
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

  test('has no error for a client that disconnects while it sends the body', async () => {
    const headers = { 'content-type': 'application/json', 'x-request-id': 'disconnected' }
    const post = request(`${server.url}/api/auth/signin`, { method: 'POST', headers })
    post.on('error', () => {})
    post.setHeader('content-length', 100)
    await new Promise((sent) => post.write('{', sent))
    post.destroy()
    expect(await lineOf('disconnected')).toMatchObject({ level: 'info', status: 400 })
    expect(server.log().filter(({ level }) => level === 'error')).toEqual([])
  })

  test('never contains secrets of the caller', async () => {
    const headers = { cookie: 'authjs.session-token=hunter2', authorization: 'Bearer hunter2' }
    await get('/api/unknown', { ...headers, 'x-request-id': 'with-secrets' })
    await lineOf('with-secrets')
    expect(server.output()).not.toContain('hunter2')
  })
})
