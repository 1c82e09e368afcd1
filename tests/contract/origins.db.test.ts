import { describe, expect, test } from 'vitest'
import { testDatabase } from '../support/database'
import { api, expectProblem, post, setting } from '../support/greetings'

testDatabase()

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
