import 'server-only'
import { dictionary } from '@zxcvbn-ts/language-common'
import { singleton } from '@/core/singleton'

/** What is wrong with a password of the right length, or undefined. */
export function complaintAbout(password: string, email: string): string | undefined {
  const plain = plainForm(password)
  if (plain === email || plain === email.split('@', 1)[0]) {
    return 'The password must not be your e-mail address.'
  }
  if (isCommon(plain) || isOnePattern(plain)) {
    return 'This password is too easy to guess. Choose another, such as a few words in a row.'
  }
  return undefined
}

/** Upper case and full-width letters make a password no harder to guess. */
function plainForm(password: string): string {
  return password.normalize('NFKC').toLowerCase()
}

/** One of the list, as it is or with a few digits and signs put to its end. */
function isCommon(plain: string): boolean {
  const word = plain.replace(/[\p{N}\p{P}\p{S}]{1,4}$/u, '')
  return commonPasswords().has(plain) || commonPasswords().has(word)
}

/** A short piece again and again, or characters that follow each other: 1212121212, abcdefghij. */
function isOnePattern(plain: string): boolean {
  if (/^(.{1,4})\1+$/su.test(plain)) return true
  const codes = [...plain].map((character) => character.codePointAt(0) ?? 0)
  const step = (codes[1] ?? 0) - (codes[0] ?? 0)
  return codes.every(
    (code, index) =>
      index === 0 || (code - (codes[index - 1] ?? 0) === step && Math.abs(step) <= 1),
  )
}

/** Fifty thousand of them, from the lists that attackers try first. */
function commonPasswords(): ReadonlySet<string> {
  return singleton('auth.common-passwords', () => new Set(dictionary['passwords-common']))
}
