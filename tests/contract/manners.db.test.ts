import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createApi } from '@/api'
import { type Env, env, parseEnv } from '@/core/env'
import { anyone } from '@/core/guard/policy'
import { route } from '@/core/guard/route'
import type { ApiContext } from '@/core/http/context'
import type { Module } from '@/core/module'
import { testDatabase } from '../support/database'

const db = testDatabase()

let calls = 0

const greeting = z.object({ name: z.string().min(1), times: z.number().int().optional() })

const answers = { 200: { description: 'Done' } }

function taking<Body extends z.ZodType>(path: string, body: Body, forms: boolean) {
  return route(
    {
      method: 'post',
      path,
      name: path,
      summary: path,
      who: anyone,
      takes: { body, forms },
      answers,
    },
    (c, given) => {
      calls += 1
      return c.json({ given: given.body })
    },
  )
}

function plain(method: 'get' | 'post' | 'put', path: string, answer: (c: ApiContext) => Response) {
  return route({ method, path, name: path, summary: path, who: anyone, answers }, answer)
}

const routes = [
  taking('/greetings', greeting, false),
  taking('/forms', greeting, true),
  plain('put', '/greetings', (c) => c.json({})),
  plain('get', '/greetings/:id', (c) => c.json({ id: c.req.param('id') })),
  plain('post', '/exempt', (c) => c.json({})),
  plain('get', '/crash', () => {
    throw new Error('select secret from vault')
  }),
  plain('get', '/away', () => {
    throw Object.assign(new Error('connect ECONNREFUSED'), {
      code: 'ECONNREFUSED',
      query: 'select',
    })
  }),
  plain('get', '/elsewhere', () => {
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  }),
]

const module: Module = {
  id: 'greetings',
  title: 'Greetings',
  description: 'For tests',
  api: routes,
}
const api = createApi([module])

const settings = env() as Env
const defaults = { ...settings }

function setting(values: Record<string, string>): void {
  Object.assign(settings, parseEnv(values))
}

beforeEach(() => {
  calls = 0
})

afterEach(() => {
  Object.assign(settings, defaults)
})

function post(path: string, body: BodyInit, headers: Record<string, string> = {}) {
  return api.request(path, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  })
}

async function expectProblem(response: Response, status: number, code: string) {
  expect(response.status).toBe(status)
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  const body = await response.json()
  expect(body).toMatchObject({ status, code, type: `/api/problems/${code}` })
  expect(body.title).not.toBe('')
  expect(body.detail).not.toBe('')
  expect(body.requestId).toBe(response.headers.get('x-request-id'))
  expect(calls).toBe(0)
  return body
}

describe('bodies', () => {
  test('a right one is taken', async () => {
    const response = await post('/api/greetings', '{"name":"Ann"}')
    expect(await response.json()).toEqual({ given: { name: 'Ann' } })
  })

  test.each(['', '{', '{"name":', 'name=Ann', '[1,]'])('malformed JSON: %j', async (body) => {
    await expectProblem(await post('/api/greetings', body), 400, 'malformed_json')
  })

  test.each([
    ['{}', 'name'],
    ['{"name":""}', 'name'],
    ['{"name":"Ann","times":1.5}', 'times'],
    ['[]', ''],
    ['null', ''],
  ])('a wrong value is named: %s', async (body, field) => {
    const problem = await expectProblem(
      await post('/api/greetings', body),
      422,
      'validation_failed',
    )
    expect(problem.errors[0].field).toBe(field)
    expect(problem.errors[0].message).toMatch(/^This is /)
  })

  test.each([
    'text/plain',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    '',
  ])('another content type: %j', async (type) => {
    const response = await post('/api/greetings', '{"name":"Ann"}', { 'content-type': type })
    await expectProblem(response, 415, 'unsupported_media_type')
  })

  test('a plain form is taken where it is meant to be', async () => {
    const type = 'application/x-www-form-urlencoded'
    const response = await post('/api/forms', 'name=Ann+Lee', { 'content-type': type })
    expect(await response.json()).toEqual({ given: { name: 'Ann Lee' } })
  })

  test('bytes that are no text', async () => {
    const bytes = new Uint8Array([0x22, 0xff, 0xfe, 0x22])
    await expectProblem(await post('/api/greetings', bytes), 400, 'bad_request')
  })

  test('64 KiB and not a byte more, declared or not', async () => {
    const fitting = JSON.stringify({ name: 'x'.repeat(64 * 1024 - 11) })
    expect(fitting).toHaveLength(64 * 1024)
    expect((await post('/api/greetings', fitting)).status).toBe(200)
    calls = 0
    const declared = { 'content-length': String(64 * 1024 + 1) }
    await expectProblem(
      await post('/api/greetings', `${fitting} `, declared),
      413,
      'body_too_large',
    )
    await expectProblem(await post('/api/greetings', `${fitting} `), 413, 'body_too_large')
  })
})

describe('paths and methods', () => {
  test('an unknown path', async () => {
    await expectProblem(await api.request('/api/nowhere'), 404, 'not_found')
  })

  test('a known path with another method names those that it has', async () => {
    const response = await api.request('/api/greetings', { method: 'DELETE' })
    expect(response.headers.get('allow')).toBe('POST, PUT, OPTIONS')
    await expectProblem(response, 405, 'method_not_allowed')
    const withParameter = await api.request('/api/greetings/7', { method: 'POST' })
    expect(withParameter.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  })

  test('HEAD wherever GET is, without a body', async () => {
    const response = await api.request('/api/greetings/7', { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.text()).toBe('')
  })

  test('OPTIONS tells what is allowed', async () => {
    const response = await api.request('/api/greetings', { method: 'OPTIONS' })
    expect(response.status).toBe(204)
    expect(response.headers.get('allow')).toBe('POST, PUT, OPTIONS')
  })
})

describe('headers', () => {
  test('nothing may be kept, guessed, framed or run', async () => {
    for (const path of ['/api/health', '/api/nowhere']) {
      const { headers } = await api.request(path)
      expect(headers.get('cache-control')).toBe('private, no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; frame-ancestors 'none'",
      )
      expect(headers.get('set-cookie')).toBeNull()
      expect(headers.get('strict-transport-security')).toBeNull()
    }
  })

  test('over https, browsers are told to stay there', async () => {
    setting({ AUTH_URL: 'https://app.example.com' })
    const { headers } = await api.request('/api/health')
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
  })

  test("a caller's request id is given back, unless it is long or odd", async () => {
    const given = async (id: string) =>
      (await api.request('/api/health', { headers: { 'x-request-id': id } })).headers.get(
        'x-request-id',
      )
    expect(await given('trace-42.a_b')).toBe('trace-42.a_b')
    for (const odd of ['x'.repeat(65), 'a b', '{"a":1}', '<script>']) {
      expect(await given(odd)).toMatch(/^[0-9a-f]{18}-\d+$/)
    }
  })
})

describe('faults', () => {
  test('an unknown error tells nothing of itself', async () => {
    const body = await expectProblem(await api.request('/api/crash'), 500, 'internal')
    expect(JSON.stringify(body)).not.toMatch(/vault|select|Error|at /)
  })

  test('a database that is away is our trouble, for a moment', async () => {
    const response = await api.request('/api/away')
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
    await expectProblem(response, 503, 'database_unreachable')
  })

  test('a socket that is not the database’s is no outage of it', async () => {
    await expectProblem(await api.request('/api/elsewhere'), 500, 'internal')
  })

  test('every problem is described where its type points', async () => {
    const { problems } = await (await api.request('/api/problems')).json()
    expect(problems.length).toBeGreaterThan(10)
    for (const { code, status } of problems) {
      const described = await (await api.request(`/api/problems/${code}`)).json()
      expect(described).toMatchObject({ code, status })
    }
    await expectProblem(await api.request('/api/problems/constructor'), 404, 'not_found')
  })
})

describe('CSRF', () => {
  const send = (headers: Record<string, string>) =>
    post('/api/greetings', '{"name":"Ann"}', headers)

  test.each<[string, Record<string, string>]>([
    ['not a browser', {}],
    ['the application itself', { 'sec-fetch-site': 'same-origin' }],
    ['typed by the person', { 'sec-fetch-site': 'none' }],
    ['an older browser on the same origin', { origin: 'http://localhost:3000' }],
    ['the same by its number', { origin: 'http://127.0.0.1:3000' }],
  ])('allowed: %s', async (_, headers) => {
    expect((await send(headers)).status).toBe(200)
  })

  test.each<[string, Record<string, string>]>([
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['another site that hides its origin', { 'sec-fetch-site': 'cross-site' }],
    [
      'a sibling domain',
      { 'sec-fetch-site': 'same-site', origin: 'http://sibling.localhost:3000' },
    ],
    ['a sandboxed frame', { origin: 'null' }],
    ['an older browser on another origin', { origin: 'http://localhost:3001' }],
    ['an unknown value', { 'sec-fetch-site': 'SAME-ORIGIN' }],
    ['a dead bearer token', { 'sec-fetch-site': 'cross-site', authorization: 'Bearer nobody' }],
  ])('refused, and nothing is done: %s', async (_, headers) => {
    await expectProblem(await send(headers), 403, 'cross_origin')
  })

  test('an origin that is allowed by CORS may also write', async () => {
    setting({ CORS_ORIGINS: 'https://app.example.com' })
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://app.example.com' }
    expect((await send(headers)).status).toBe(200)
  })
})

describe('CORS', () => {
  const preflight = (origin: string) =>
    api.request('/api/greetings', {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    })
  const corsHeaders = (response: Response) =>
    [...response.headers.keys()].filter((name) => name.startsWith('access-control-'))

  test('off by default', async () => {
    expect(corsHeaders(await preflight('https://app.example.com'))).toEqual([])
    const simple = await api.request('/api/health', {
      headers: { origin: 'https://app.example.com' },
    })
    expect(corsHeaders(simple)).toEqual([])
  })

  test('an origin on the list is allowed, with credentials', async () => {
    setting({ CORS_ORIGINS: 'https://app.example.com' })
    const response = await preflight('https://app.example.com')
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example.com')
    expect(response.headers.get('access-control-allow-credentials')).toBe('true')
    expect(response.headers.get('access-control-allow-headers')).toContain('Authorization')
    expect(response.headers.get('vary')).toContain('Origin')
  })

  test.each([
    'https://evil.example',
    'http://app.example.com',
    'https://app.example.com.evil.example',
    'null',
  ])('any other origin gets no CORS header: %s', async (origin) => {
    setting({ CORS_ORIGINS: 'https://app.example.com' })
    expect(corsHeaders(await preflight(origin))).toEqual([])
    const simple = await api.request('/api/health', { headers: { origin } })
    expect(corsHeaders(simple)).toEqual([])
    expect(simple.headers.get('vary')).toContain('Origin')
  })

  test('a problem can be read by an allowed origin too', async () => {
    setting({ CORS_ORIGINS: 'https://app.example.com' })
    const response = await api.request('/api/nowhere', {
      headers: { origin: 'https://app.example.com' },
    })
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example.com')
  })
})

describe('health', () => {
  test('is exactly this', async () => {
    await db.connection.ping()
    for (const path of ['/api/health', '/api/health/live']) {
      const response = await api.request(path)
      expect(response.status).toBe(200)
      expect(await response.text()).toBe('{"status":"ok"}')
    }
  })
})
