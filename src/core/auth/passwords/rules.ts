import 'server-only'
import { dictionary } from '@zxcvbn-ts/language-common'
import { singleton } from '@/core/config/singleton'

/** Why a password of the right length is rejected, or undefined. */
export function passwordError(password: string, email: string): string | undefined {
  const plain = plainForm(password)
  if (plain === email || plain === email.split('@', 1)[0]) {
    return 'Your password cannot be your email.'
  }
  if (isCommon(plain) || isPattern(plain)) {
    return 'This password is too easy to guess. Try a few unrelated words.'
  }
  return undefined
}

/** Upper case and full-width letters do not make a password harder to guess. */
function plainForm(password: string): string {
  return password.normalize('NFKC').toLowerCase()
}

/** A common password, alone or with up to four digits and signs appended. */
function isCommon(plain: string): boolean {
  const word = plain.replace(/[\p{N}\p{P}\p{S}]{1,4}$/u, '')
  return commonPasswords().has(plain) || commonPasswords().has(word)
}

/** A repeated piece or a sequence of characters: 1212121212, abcdefghij. */
function isPattern(plain: string): boolean {
  if (/^(.{1,4})\1+$/su.test(plain)) return true
  const codes = [...plain].map((character) => character.codePointAt(0) ?? 0)
  const step = (codes[1] ?? 0) - (codes[0] ?? 0)
  return codes.every(
    (code, index) =>
      index === 0 || (code - (codes[index - 1] ?? 0) === step && Math.abs(step) <= 1),
  )
}

/** About 50,000, from the lists that attackers try first. */
function commonPasswords(): ReadonlySet<string> {
  return singleton('auth.common-passwords', () => new Set(dictionary['passwords-common']))
}
