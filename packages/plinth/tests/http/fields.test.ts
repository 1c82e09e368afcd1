import { expect, test } from 'vitest'
import type { z } from 'zod'
import {
  dateTimeField,
  decimalField,
  integerField,
  limitField,
  lineField,
  searchField,
  textField,
  urlField,
  versionField,
} from '#http/fields'

const required = 'Enter something.'

const messageOf = (schema: z.ZodType, input: unknown) =>
  schema.safeParse(input).error?.issues[0]?.message

test.each<[string, z.ZodType, unknown, unknown]>([
  ['a line without the spaces around it', lineField(required), '  a b ', 'a b'],
  ['a line at its limit', lineField(required, 3), 'abc', 'abc'],
  ['a line of 200 characters', lineField(required), 'a'.repeat(200), 'a'.repeat(200)],
  ['text with LF for each CRLF', textField(required), 'a\r\nb\r\n', 'a\nb\n'],
  ['text at its limit', textField(required, 3), 'a\nb', 'a\nb'],
  ['the smallest integer', integerField(required), -2147483648, -2147483648],
  ['the largest integer', integerField(required), 2147483647, 2147483647],
  ['a decimal number as text', decimalField(required), ' -12.50 ', '-12.50'],
  [
    'a decimal number at its limits',
    decimalField(required),
    '123456789012345.1234567890',
    '123456789012345.1234567890',
  ],
  ['an http URL', urlField(required), 'http://example.com/a', 'http://example.com/a'],
  ['an https URL', urlField(required), 'https://example.com', 'https://example.com'],
  [
    'a time with an offset',
    dateTimeField(required),
    '2026-01-02T03:04:05+02:00',
    new Date('2026-01-02T01:04:05Z'),
  ],
  [
    'a time with a Z',
    dateTimeField(required),
    '2026-01-02T03:04:05Z',
    new Date('2026-01-02T03:04:05Z'),
  ],
  [
    'a time without an offset as UTC',
    dateTimeField(required),
    '2026-01-02T03:04',
    new Date('2026-01-02T03:04:00Z'),
  ],
  ['a version', versionField, 1, 1],
  ['a search without the spaces around it', searchField, '  a b ', 'a b'],
  ['an empty search as none', searchField, '  ', undefined],
  ['a search at its limit', searchField, 'a'.repeat(200), 'a'.repeat(200)],
  ['the number of rows', limitField, 100, 100],
  ['the number of rows as text', limitField, '1', 1],
])('accepts %s', (_, schema, input, output) => {
  expect(schema.parse(input)).toEqual(output)
})

const controlCharacters = 'Remove line breaks and control characters.'
const outOfRange = 'Enter a number between -2,147,483,648 and 2,147,483,647.'

test.each<[string, z.ZodType, unknown, string]>([
  ['no line', lineField(required), undefined, required],
  ['an empty line', lineField(required), '  ', required],
  ['a line that is too long', lineField(required, 3), 'abcd', 'Use at most 3 characters.'],
  ['a line of 201 characters', lineField(required), 'a'.repeat(201), 'Use at most 200 characters.'],
  ['a line with a control character first', lineField(required), '\0a', controlCharacters],
  ['a line with a line break within', lineField(required), 'a\nb', controlCharacters],
  ['no text', textField(required), undefined, required],
  ['text of spaces', textField(required), ' \n ', required],
  ['text that is too long', textField(required, 3), 'abcd', 'Use at most 3 characters.'],
  [
    'text of 10,001 characters',
    textField(required),
    'a'.repeat(10_001),
    'Use at most 10,000 characters.',
  ],
  ['no integer', integerField(required), '7', required],
  ['an integer that is too small', integerField(required), -2147483649, outOfRange],
  ['an integer that is too large', integerField(required), 2147483648, outOfRange],
  ['no decimal number', decimalField(required), undefined, required],
  ['text before a decimal number', decimalField(required), 'x1', required],
  ['text after a decimal number', decimalField(required), '1x', required],
  ['too many digits', decimalField(required), '1234567890123456', required],
  ['too many decimals', decimalField(required), '1.12345678901', required],
  ['a point without decimals', decimalField(required), '1.', required],
  ['a script', urlField(required), 'javascript:alert(1)', required],
  ['a scheme that ends with http', urlField(required), 'xhttp://example.com', required],
  ['a scheme that begins with http', urlField(required), 'httpx://example.com', required],
  [
    'a URL that is too long',
    urlField(required),
    `https://example.com/${'a'.repeat(2000)}`,
    'Use at most 2,000 characters.',
  ],
  ['a day without a time', dateTimeField(required), '2026-01-02', required],
  ['a search that is too long', searchField, 'a'.repeat(201), 'Use at most 200 characters.'],
  ['a search with a control character first', searchField, '\0a', controlCharacters],
  ['a search with a line break within', searchField, 'a\nb', controlCharacters],
])('rejects %s', (_, schema, input, message) => {
  expect(messageOf(schema, input)).toBe(message)
})

test.each([0, 101, '0', '101', '1000', 'x', '1x', 'x1', 1.5, ''])(
  'rejects the number of rows %j',
  (input) => {
    expect(limitField.safeParse(input).success).toBe(false)
  },
)

test.each([0, -1, 1.5, '1'])('rejects the version %j', (input) => {
  expect(versionField.safeParse(input).success).toBe(false)
})
