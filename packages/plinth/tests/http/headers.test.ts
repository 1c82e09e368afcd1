import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import type { ApiContext } from '#http/api-context'
import {
  apiHeaders,
  callbackUrlOrHome,
  contentSecurityPolicy,
  isEmbedded,
  isPrefetch,
  isSameOrigin,
  ownOrigin,
  pageHeaders,
  prefersHtml,
  requestIdFrom,
  trustedCaller,
} from '#http/headers'
import { configure } from '#testing/settings'

/** Calls `read` with the context of a request that has these headers. */
async function contextValue<Value>(
  headers: Record<string, string>,
  read: (c: ApiContext) => Value,
): Promise<Value> {
  let value: Value | undefined
  const api = new Hono().get('/', (c) => {
    value = read(c as unknown as ApiContext)
    return c.body(null)
  })
  await api.request('/', { headers })
  return value as Value
}

test('only a proxy, or this server, says which trace a request belongs to', () => {
  const header = () => undefined
  expect(trustedCaller(header)).toBeUndefined()
  expect(trustedCaller(header, { original: { remoteIp: undefined } })).toBe(header)
  configure({ TRUST_PROXY: '1' })
  expect(trustedCaller(header)).toBe(header)
})

test.each(['a', 'A-b_c.9', 'a'.repeat(64)])('keeps the request id %s', (id) => {
  expect(requestIdFrom(id)).toBe(id)
})

test.each([undefined, '', 'a'.repeat(65), 'a b', 'a\n', ' a', 'ä', ['a']])(
  'makes a new request id for %j',
  (given) => {
    const [first, second] = [requestIdFrom(given), requestIdFrom(given)]
    expect(first).toMatch(/^[0-9a-f]{18}-\d+$/)
    expect(Number(second.split('-')[1])).toBe(Number(first.split('-')[1]) + 1)
  },
)

test.each([
  ['text/html,application/xhtml+xml,*/*;q=0.8', true],
  ['application/json', false],
  ['application/json;q=0.1, text/html', true],
  ['image/png', false],
])('of Accept: %s, a page is preferred: %s', async (accept, expected) => {
  expect(await contextValue({ accept }, prefersHtml)).toBe(expected)
})

test('a caller without Accept prefers JSON', async () => {
  expect(await contextValue({}, prefersHtml)).toBe(false)
})

test.each(['next-router-prefetch', 'next-router-segment-prefetch', 'sec-purpose', 'purpose'])(
  '%s says that a page is prefetched',
  (name) => {
    expect(isPrefetch((header) => (header === name ? '1' : undefined))).toBe(true)
  },
)

test('any other request is no prefetch', () => {
  expect(isPrefetch((header) => (header === 'accept' ? '*/*' : undefined))).toBe(false)
})

describe('security headers', () => {
  test('of an API response', () => {
    expect(apiHeaders('http://localhost:3000')).toEqual({
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'private, no-store',
    })
  })

  test('of a page', () => {
    expect(pageHeaders('http://localhost:3000')).toEqual({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'strict-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
    })
  })

  test('keep browsers on https, and on subdomains if that is set', () => {
    const header = 'strict-transport-security'
    expect(pageHeaders('https://example.com')).toMatchObject({ [header]: 'max-age=31536000' })
    configure({ AUTH_URL: 'https://example.com', HSTS_SUBDOMAINS: 'on' })
    expect(apiHeaders('https://example.com')).toMatchObject({
      [header]: 'max-age=31536000; includeSubDomains',
    })
    expect(apiHeaders('http://https:3000')).not.toHaveProperty(header)
  })
})

describe('the content security policy', () => {
  test('of a page that is rendered for each request', () => {
    const formTargets = ['https://provider.example']
    expect(contentSecurityPolicy({ nonce: 'abc', https: true, formTargets }).split('; ')).toEqual([
      "default-src 'self'",
      "script-src 'self' 'nonce-abc'",
      "style-src 'self'",
      "style-src-attr 'unsafe-inline'",
      "img-src 'self' data: blob:",
      "font-src 'self'",
      "connect-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self' https://provider.example",
      "frame-ancestors 'none'",
      'upgrade-insecure-requests',
      'report-uri /api/csp-reports',
    ])
  })

  test('of a prerendered page, without https', () => {
    const policy = contentSecurityPolicy({ hashes: ['sha256-a', 'sha256-b'], https: false })
    expect(policy).toContain("script-src 'self' 'sha256-a' 'sha256-b';")
    expect(policy).toContain("form-action 'self';")
    expect(policy).not.toContain('upgrade-insecure-requests')
    expect(policy).not.toContain('nonce')
  })

  test('allows in development what React and Next need', () => {
    const policy = contentSecurityPolicy({ https: false, development: true }).split('; ')
    expect(policy).toEqual(
      expect.arrayContaining([
        "script-src 'self' 'unsafe-eval'",
        "style-src 'self' 'unsafe-inline'",
        "connect-src 'self' ws:",
      ]),
    )
    expect(policy.join()).not.toContain('report-uri')
  })
})

const own = 'https://app.example.com'
const friend = 'https://friend.example.com'

describe('a request comes from this origin', () => {
  test.each([
    [{ site: 'same-origin', origin: undefined }, true],
    [{ site: 'none', origin: undefined }, true],
    [{ site: undefined, origin: undefined }, true],
    [{ site: undefined, origin: own }, true],
    [{ site: 'cross-site', origin: friend }, true],
    [{ site: 'cross-site', origin: undefined }, false],
    [{ site: 'same-site', origin: 'https://other.example.com' }, false],
    [{ site: undefined, origin: 'null' }, false],
  ])('%j: %s', (evidence, expected) => {
    configure({ AUTH_URL: own, CORS_ORIGINS: friend })
    expect(isSameOrigin(evidence)).toBe(expected)
  })
})

test.each<[Record<string, string>, boolean]>([
  [{}, false],
  [{ 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' }, false],
  [{ 'sec-fetch-dest': 'image', 'sec-fetch-site': 'same-origin' }, true],
  [{ 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'same-origin' }, false],
  [{ 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'cross-site' }, true],
  [{ origin: 'https://evil.example' }, true],
])('a request with %j is part of a page: %s', async (headers, expected) => {
  configure({ AUTH_URL: own })
  expect(await contextValue(headers, isEmbedded)).toBe(expected)
})

test('the own origin is the one that the caller uses', async () => {
  configure({ AUTH_URL: '', PORT: '3000' })
  expect(await contextValue({ host: '127.0.0.1:3000' }, ownOrigin)).toBe('http://127.0.0.1:3000')
  expect(await contextValue({ host: 'localhost:3000' }, ownOrigin)).toBe('http://localhost:3000')
  expect(await contextValue({ host: 'evil.example' }, ownOrigin)).toBe('http://localhost:3000')
})

test.each([
  [undefined, '/home'],
  ['https://evil.example', '/home'],
  ['/', '/'],
  ['/account', '/account'],
])('after a sign-in, %j leads to %s', (requested, path) => {
  expect(callbackUrlOrHome(requested, own)).toBe(path)
})
