import { describe, expect, test } from 'vitest'
import { emailField, nameField, newPasswordField } from '@/core/auth/fields'
import { complaintAbout } from '@/core/auth/new-password'

const messageOf = (result: ReturnType<typeof emailField.safeParse>) =>
  result.error?.issues[0]?.message

describe('an e-mail address', () => {
  test.each([
    [' Ann@Example.COM ', 'ann@example.com'],
    ['ａｎｎ＠example.com', 'ann@example.com'],
    ['ann+tag@sub.example.com', 'ann+tag@sub.example.com'],
    ["o'neil@example.com", "o'neil@example.com"],
    ['jörg@exämple.de', 'jörg@exämple.de'],
    ['root@localhost', 'root@localhost'],
  ])('%j is %j', (typed, kept) => {
    expect(emailField.parse(typed)).toBe(kept)
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
    `${'a'.repeat(250)}@b.de`,
    'a'.repeat(100_000),
  ])('%j is none', (typed) => {
    expect(messageOf(emailField.safeParse(typed))).toMatch(/^(Enter|An) .*\.$/)
  })

  test('that is no text is none', () => {
    for (const odd of [undefined, null, 7, {}, ['a@b.c']]) {
      expect(messageOf(emailField.safeParse(odd))).toBe('Enter your e-mail address.')
    }
  })
})

describe('a name', () => {
  test.each([
    ['  Ann Lee ', 'Ann Lee'],
    ['李', '李'],
    ['👩‍👩‍👧', '👩‍👩‍👧'],
    ['x'.repeat(100), 'x'.repeat(100)],
    ['😀'.repeat(100), '😀'.repeat(100)],
  ])('%j is taken', (typed, kept) => {
    expect(nameField.parse(typed)).toBe(kept)
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
  ])('%j is refused', (typed) => {
    expect(nameField.safeParse(typed).success).toBe(false)
  })
})

describe('a new password', () => {
  const tooShort = 'A password has at least 10 characters.'
  const tooLong = 'A password has at most 128 characters.'

  test('has ten to 128 characters, counted as people count them', () => {
    const messageFor = (text: string) => newPasswordField.safeParse(text).error?.issues[0]?.message
    expect(messageFor('x'.repeat(9))).toBe(tooShort)
    expect(messageFor('x'.repeat(10))).toBeUndefined()
    expect(messageFor('😀'.repeat(9))).toBe(tooShort)
    expect(messageFor('😀'.repeat(128))).toBeUndefined()
    expect(messageFor('x'.repeat(129))).toBe(tooLong)
  })

  const email = 'anna.longname@example.com'

  test.each(['anna.longname@example.com', 'Anna.LongName@Example.com', 'ANNA.LONGNAME'])(
    'is not the address: %s',
    (password) => {
      expect(complaintAbout(password, email)).toMatch(/e-mail address/)
    },
  )

  test.each([
    'qwertyuiop',
    'QwertyUiop',
    'ｑｗｅｒｔｙｕｉｏｐ',
    'password123',
    'Password1!',
    'football2024',
    'aaaaaaaaaaaa',
    '1212121212',
    'abcabcabcabc',
    'abcdefghijkl',
    'lkjihgfedcba',
    '12345678910',
  ])('is not one that is tried first: %s', (password) => {
    expect(complaintAbout(password, email)).toMatch(/too easy to guess/)
  })

  test.each([
    'plinth-demo-1',
    'correct horse battery',
    'anna.longname@',
    'ßß-zz-93-kk',
    '李李李李李李李李李x',
  ])('may be %s', (password) => {
    expect(complaintAbout(password, email)).toBeUndefined()
  })
})
