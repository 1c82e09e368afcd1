import { expect, test } from 'vitest'
import { acceptedEmail } from '#auth/oauth/sign-in'

test.each([
  ['Ada@Example.ORG', 'ada@example.org'],
  ['ada+tag@example.org', 'ada+tag@example.org'],
  ['jörg@exämple.de', 'jörg@exämple.de'],
])('accepts the email %j of a provider as %j', (sent, accepted) => {
  expect(acceptedEmail(sent)).toBe(accepted)
})

test.each([
  null,
  '',
  'ada',
  ' ada@example.org',
  'ada@example.org\ufeff',
  'ａda@example.org',
  'ada＠example.org',
  '\u212aada@example.org',
  'ﬁ@example.org',
  'ad\u200ba@example.org',
  'ad\u00ada@example.org',
  'ada\u202e@example.org',
  'ada\u3164@example.org',
  'jo\u0308rg@example.org',
  'eve@evil.example,ada@example.org',
  'Ada <ada@example.org>',
  `${'a'.repeat(250)}@b.de`,
])('refuses the email %j of a provider', (sent) => {
  expect(acceptedEmail(sent)).toBeUndefined()
})
