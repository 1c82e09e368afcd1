import { describe, expect, test } from 'vitest'
import { testDatabase } from '#testing/database/database'
import { testApi } from '../support/test-api'

testDatabase()
const { api, applySettings, expectProblem, post } = testApi()

describe('CSRF', () => {
  const send = (headers: Record<string, string>) => post('/api/items', '{"name":"Ann"}', headers)

  test.each<[string, Record<string, string>]>([
    ['not a browser', {}],
    ['the application itself', { 'sec-fetch-site': 'same-origin' }],
    ['a typed URL', { 'sec-fetch-site': 'none' }],
    ['an older browser on the same origin', { origin: 'http://localhost:3000' }],
    ['the other name of this machine', { origin: 'http://127.0.0.1:3000' }],
  ])('allows %s', async (_, headers) => {
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
    [
      'an invalid bearer token',
      { 'sec-fetch-site': 'cross-site', authorization: 'Bearer invalid' },
    ],
  ])('rejects %s and changes nothing', async (_, headers) => {
    await expectProblem(await send(headers), 403, 'cross_origin')
  })

  test('allows writes from an origin in CORS_ORIGINS', async () => {
    applySettings({ CORS_ORIGINS: 'https://app.example.com' })
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://app.example.com' }
    expect((await send(headers)).status).toBe(200)
  })
})

describe('CORS', () => {
  const preflight = (origin: string) =>
    api.request('/api/items', {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    })
  const corsHeaders = (response: Response) =>
    [...response.headers.keys()].filter((name) => name.startsWith('access-control-'))

  test('is off by default', async () => {
    expect(corsHeaders(await preflight('https://app.example.com'))).toEqual([])
    const simple = await api.request('/api/health', {
      headers: { origin: 'https://app.example.com' },
    })
    expect(corsHeaders(simple)).toEqual([])
  })

  test('allows a listed origin, with credentials', async () => {
    applySettings({ CORS_ORIGINS: 'https://app.example.com' })
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
  ])('sends no CORS header to another origin: %s', async (origin) => {
    applySettings({ CORS_ORIGINS: 'https://app.example.com' })
    expect(corsHeaders(await preflight(origin))).toEqual([])
    const simple = await api.request('/api/health', { headers: { origin } })
    expect(corsHeaders(simple)).toEqual([])
    expect(simple.headers.get('vary')).toContain('Origin')
  })

  test('lets a listed origin read problems', async () => {
    applySettings({ CORS_ORIGINS: 'https://app.example.com' })
    const response = await api.request('/api/unknown', {
      headers: { origin: 'https://app.example.com' },
    })
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example.com')
  })
})
