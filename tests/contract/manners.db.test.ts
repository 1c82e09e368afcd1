import { describe, expect, test } from 'vitest'
import { testDatabase } from '../support/database'
import { api, expectProblem, post, setting } from '../support/greetings'

const db = testDatabase()

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

  const fitting = `{"name":"${'a'.repeat(64 * 1024 - 11)}"}`

  test('may be 64 KiB', async () => {
    expect(fitting).toHaveLength(64 * 1024)
    expect((await post('/api/greetings', fitting)).status).toBe(200)
  })

  test('may be not a byte more, declared or not', async () => {
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
