import { expect, test } from 'vitest'
import { withoutAddresses } from '../../ui/users/without-addresses'

const sent = ['one@example.com', 'two@example.com']

test.each([
  ['one@example.com, Two@Example.com', ''],
  // Typed while the form was sent.
  ['next@example.com', 'next@example.com'],
  ['one@example.com two@example.com\nthr', 'thr'],
  // Rejected.
  ['one@example.com, x@; two@example.com', 'x@'],
])('of %j, %j stays', (text, expected) => {
  expect(withoutAddresses(text, sent)).toBe(expected)
})
