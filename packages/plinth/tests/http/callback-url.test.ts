import { expect, test } from 'vitest'
import { callbackUrlOrHome, safeCallbackUrl } from '#http/headers'

const origin = 'https://app.example.com'

test.each([
  ['/', '/'],
  ['/articles?tab=1#top', '/articles?tab=1#top'],
  ['https://app.example.com/a', '/a'],
  ['articles', '/articles'],
  ['/a/../b', '/b'],
  [undefined, '/'],
])('%j becomes %j', (callbackUrl, path) => {
  expect(safeCallbackUrl(callbackUrl, origin)).toBe(path)
})

test.each([
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '\u0000//evil.example',
  'https://evil.example',
  'https:evil.example',
  'http://app.example.com',
  'https://app.example.com.evil.example',
  'https://app.example.com@evil.example',
  'https://user:pass@app.example.com/',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,x',
  'blob:https://app.example.com/x',
  '/..//evil.example',
  '/.//evil.example',
  'https://app.example.com//evil.example',
  '%2f%2fevil.example\n',
  'https://[',
])('%j stays on this origin', (callbackUrl) => {
  const target = new URL(safeCallbackUrl(callbackUrl, origin), origin)
  expect(target.origin).toBe(origin)
  expect(safeCallbackUrl(callbackUrl, origin)).toMatch(/^\/(?!\/)/)
})

test.each([
  [undefined, '/home'],
  ['//evil.example', '/home'],
  ['javascript:alert(1)', '/home'],
  ['/', '/'],
  ['/articles?page=2', '/articles?page=2'],
])('our own pages lead from %j to %j', (callbackUrl, path) => {
  expect(callbackUrlOrHome(callbackUrl, origin)).toBe(path)
})
