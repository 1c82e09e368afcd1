import { expect, test } from 'vitest'
import { safeCallback } from '@/core/auth/callback-url'

const here = 'https://app.example.com'

test.each([
  ['/', '/'],
  ['/elsewhere?tab=1#top', '/elsewhere?tab=1#top'],
  ['https://app.example.com/a', '/a'],
  ['elsewhere', '/elsewhere'],
  ['/a/../b', '/b'],
  [undefined, '/'],
])('%j leads to %j', (wanted, path) => {
  expect(safeCallback(wanted, here)).toBe(path)
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
])('%j does not lead away', (wanted) => {
  const target = new URL(safeCallback(wanted, here), here)
  expect(target.origin).toBe(here)
  expect(safeCallback(wanted, here)).toMatch(/^\/(?!\/)/)
})
