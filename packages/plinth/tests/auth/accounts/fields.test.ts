import { describe, expect, test } from 'vitest'
import { emailField, nameField, newPasswordField } from '#auth/accounts/fields'

const messageOf = (result: ReturnType<typeof emailField.safeParse>) =>
  result.error?.issues[0]?.message

describe('the email field', () => {
  test.each([
    [' Ann@Example.COM ', 'ann@example.com'],
    ['ａｎｎ＠example.com', 'ann@example.com'],
    ['ann+tag@sub.example.com', 'ann+tag@sub.example.com'],
    ["o'neil@example.com", "o'neil@example.com"],
    ['jörg@exämple.de', 'jörg@exämple.de'],
    ['root@localhost', 'root@localhost'],
  ])('normalizes %j to %j', (typed, normalized) => {
    expect(emailField.parse(typed)).toBe(normalized)
  })

  test.each([
    '',
    '   ',
    'ann',
    '@example.com',
    'ann@',
    'a@b@c',
    'an n@example.com',
    'ann@exam\u0000ple.com',
    'ann@example.com\r\nBcc: eve@example.com',
    'eve@evil.example,ann@example.com',
    'Ann <ann@example.com>',
    '"ann"@example.com',
    'ann@example.com\ud800',
    'a\u200bnn@example.com',
    'ann@exam\u2060ple.com',
    'ann\u202e@example.com',
    'ann\ufe0f@example.com',
    'ann\u3164@example.com',
    `${'a'.repeat(250)}@b.de`,
    'a'.repeat(100_000),
  ])('rejects %j', (typed) => {
    expect(messageOf(emailField.safeParse(typed))).toMatch(/^(Enter|An) .*\.$/)
  })

  test('rejects values that are not text', () => {
    for (const value of [undefined, null, 7, {}, ['a@b.c']]) {
      expect(messageOf(emailField.safeParse(value))).toBe('Enter your email.')
    }
  })
})

describe('the name field', () => {
  test.each([
    ['  Ann Lee ', 'Ann Lee'],
    ['李', '李'],
    ['👩‍👩‍👧', '👩‍👩‍👧'],
    ['x'.repeat(100), 'x'.repeat(100)],
    ['😀'.repeat(100), '😀'.repeat(100)],
  ])('accepts %j', (typed, trimmed) => {
    expect(nameField.parse(typed)).toBe(trimmed)
  })

  test.each([
    '',
    ' \t ',
    '\u200b\u200d',
    'x'.repeat(101),
    'Ann\nLee',
    'Ann\u0000',
    'Ann\u202eeel',
    'Ann\u2028Lee',
    'half \ud83d',
    'x'.repeat(100_000),
  ])('rejects %j', (typed) => {
    expect(nameField.safeParse(typed).success).toBe(false)
  })
})

describe('a new password', () => {
  const tooShort = 'Use at least 10 characters.'
  const tooLong = 'Use at most 128 characters.'

  test('has 10 to 128 code points', () => {
    const messageFor = (text: string) => newPasswordField.safeParse(text).error?.issues[0]?.message
    expect(messageFor('x'.repeat(9))).toBe(tooShort)
    expect(messageFor('x'.repeat(10))).toBeUndefined()
    expect(messageFor('😀'.repeat(9))).toBe(tooShort)
    expect(messageFor('😀'.repeat(128))).toBeUndefined()
    expect(messageFor('x'.repeat(129))).toBe(tooLong)
  })
})
