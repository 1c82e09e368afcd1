import { expect, test } from 'vitest'
import { bearerToken, cookieToken } from '#auth/sessions/cookie'

const name = 'authjs.session-token'
const token = `${'A'.repeat(41)}-_`
const other = 'B'.repeat(43)

test.each([
  ['one cookie', `${name}=${token}`],
  ['the first of several cookies', `${name}=${token}; a=1; b=2`],
  ['the last of several cookies', `a=1; b=2; ${name}=${token}`],
  ['a cookie among others', `a=1; ${name}=${token}; b=2`],
  ['a cookie without a space before it', `a=1;${name}=${token}`],
  ['a quoted value', `${name}="${token}"`],
  ['a percent-encoded value', `${name}=%41${token.slice(1)}`],
  ['a second cookie whose name ends with the name', `${name}=${token}; x${name}=${other}`],
  ['a cookie after one whose name ends with the name', `x${name}=${other}; ${name}=${token}`],
  ['a cookie after one whose value contains the name', `a=${name}=${other}; ${name}=${token}`],
])('finds the token in %s', (_, header) => {
  expect(cookieToken(header, name)).toBe(token)
})

test('takes the first of two cookies with the same name', () => {
  expect(cookieToken(`${name}=${token}; ${name}=${other}`, name)).toBe(token)
})

test.each([
  ['no header', undefined],
  ['an empty header', ''],
  ['other cookies only', 'a=1; b=2'],
  ['the name as the end of another name', `x${name}=${token}`],
  ['the name as the start of another name', `${name}x=${token}`],
  ['the name inside a value', `a=${name}=${token}`],
  ['the name without a value', name],
  ['an empty value', `${name}=`],
  ['a value that is too short', `${name}=${token.slice(1)}`],
  ['a value that is too long', `${name}=${token}A`],
  ['a value with a character that tokens do not have', `${name}=${token.slice(1)}.`],
  ['a malformed percent-encoding', `${name}=${token.slice(2)}%E`],
])('finds no token in %s', (_, header) => {
  expect(cookieToken(header, name)).toBeUndefined()
})

test.each([
  [`Bearer ${token}`, token],
  [`bearer ${token}`, token],
  [`BEARER ${token}`, token],
  [`Bearer  ${token}`, undefined],
  [`Bearer ${token}, Bearer ${other}`, undefined],
  [`Bearer ${token.slice(1)}`, undefined],
  [`Basic ${token}`, undefined],
  [token, undefined],
  ['', undefined],
  [undefined, undefined],
])('the bearer token in the header %j is %j', (header, expected) => {
  expect(bearerToken(header)).toBe(expected)
})
