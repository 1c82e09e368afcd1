import { describe, expect, test } from 'vitest'
import { testDatabase } from '#testing/database/database'
import { testApi } from '../support/test-api'

const db = testDatabase()
const { api, applySettings, expectProblem, post } = testApi()

describe('bodies', () => {
  test('accepts a valid body', async () => {
    const response = await post('/api/items', '{"name":"Ann"}')
    expect(await response.json()).toEqual({ received: { name: 'Ann' } })
  })

  test.each(['', '{', '{"name":', 'name=Ann', '[1,]'])(
    'rejects malformed JSON: %j',
    async (body) => {
      await expectProblem(await post('/api/items', body), 400, 'malformed_json')
    },
  )

  test.each([
    ['{}', 'name', 'This field is required.'],
    ['{"name":""}', 'name', 'This is too short or too small.'],
    ['{"name":"Ann","count":1.5}', 'count', 'This has the wrong type.'],
    ['[]', '', 'This has the wrong type.'],
    ['null', '', 'This has the wrong type.'],
  ])('names the invalid field: %s', async (body, field, message) => {
    const problem = await expectProblem(await post('/api/items', body), 422, 'validation_failed')
    expect(problem.errors[0].field).toBe(field)
    expect(problem.errors[0].message).toBe(message)
  })

  test.each([
    'text/plain',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    '',
  ])('rejects the content type %j', async (type) => {
    const response = await post('/api/items', '{"name":"Ann"}', { 'content-type': type })
    await expectProblem(response, 415, 'unsupported_media_type')
  })

  test('accepts a plain form where it is declared', async () => {
    const type = 'application/x-www-form-urlencoded'
    const response = await post('/api/forms', 'name=Ann+Lee', { 'content-type': type })
    expect(await response.json()).toEqual({ received: { name: 'Ann Lee' } })
  })

  test('rejects bytes that are not UTF-8', async () => {
    const bytes = new Uint8Array([0x22, 0xff, 0xfe, 0x22])
    await expectProblem(await post('/api/items', bytes), 400, 'bad_request')
  })

  const largest = `{"name":"${'a'.repeat(64 * 1024 - 11)}"}`

  test('accepts 64 KiB', async () => {
    expect(largest).toHaveLength(64 * 1024)
    expect((await post('/api/items', largest)).status).toBe(200)
  })

  test('rejects one byte more, with or without a declared length', async () => {
    const declared = { 'content-length': String(64 * 1024 + 1) }
    await expectProblem(await post('/api/items', `${largest} `, declared), 413, 'body_too_large')
    await expectProblem(await post('/api/items', `${largest} `), 413, 'body_too_large')
  })
})

describe('paths and methods', () => {
  test('returns 404 for an unknown path', async () => {
    await expectProblem(await api.request('/api/unknown'), 404, 'not_found')
  })

  test('returns 405 with the allowed methods', async () => {
    const response = await api.request('/api/items', { method: 'DELETE' })
    expect(response.headers.get('allow')).toBe('POST, PUT, OPTIONS')
    await expectProblem(response, 405, 'method_not_allowed')
    const withParameter = await api.request('/api/items/7', { method: 'POST' })
    expect(withParameter.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  })

  test('responds to HEAD like GET, without a body', async () => {
    const response = await api.request('/api/items/7', { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.text()).toBe('')
  })

  test('responds to OPTIONS with the allowed methods', async () => {
    const response = await api.request('/api/items', { method: 'OPTIONS' })
    expect(response.status).toBe(204)
    expect(response.headers.get('allow')).toBe('POST, PUT, OPTIONS')
  })
})

describe('headers', () => {
  test('forbid caching, sniffing, framing and scripts', async () => {
    for (const path of ['/api/health', '/api/unknown']) {
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

  test('include HSTS over https', async () => {
    applySettings({ AUTH_URL: 'https://app.example.com' })
    const { headers } = await api.request('/api/health')
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
    applySettings({ AUTH_URL: 'https://app.example.com', HSTS_SUBDOMAINS: 'on' })
    const other = await api.request('/api/health')
    expect(other.headers.get('strict-transport-security')).toBe(
      'max-age=31536000; includeSubDomains',
    )
  })

  test('return the request id of the caller if it is short and plain', async () => {
    const returned = async (id: string) =>
      (await api.request('/api/health', { headers: { 'x-request-id': id } })).headers.get(
        'x-request-id',
      )
    expect(await returned('trace-42.a_b')).toBe('trace-42.a_b')
    for (const invalid of ['x'.repeat(65), 'a b', '{"a":1}', '<script>']) {
      expect(await returned(invalid)).toMatch(/^[0-9a-f]{18}-\d+$/)
    }
  })
})

describe('errors', () => {
  test('an unknown error reveals nothing', async () => {
    const body = await expectProblem(await api.request('/api/crash'), 500, 'internal')
    expect(JSON.stringify(body)).not.toMatch(/vault|select|Error|at /)
  })

  test('an unavailable database returns 503 with Retry-After', async () => {
    const response = await api.request('/api/database-unavailable')
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
    await expectProblem(response, 503, 'database_unreachable')
  })

  test('a connection error of another service returns 500', async () => {
    await expectProblem(await api.request('/api/other-service-unavailable'), 500, 'internal')
  })

  test('every problem type has a description at its URL', async () => {
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
  test('returns exactly {"status":"ok"}', async () => {
    await db.connection.ping()
    for (const path of ['/api/health', '/api/health/ready', '/api/health/live']) {
      const response = await api.request(path)
      expect(response.status).toBe(200)
      expect(await response.text()).toBe('{"status":"ok"}')
    }
  })
})
