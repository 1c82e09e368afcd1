import 'server-only'
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { authSecrets } from '@/core/config/env'

/** Crockford's base 32: no letter looks like a digit or like another letter. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * 40 bits. An attacker who asks for a link to the email of a user gets five tries with each mail and
 * ten mails an hour. With six digits, such guesses at a thousand mailboxes would open one a day.
 */
const codeLength = 8

/** As in the mail: in two groups, which are easier to type. */
export function newCode(): string {
  const letters = [...randomBytes(codeLength)].map((byte) => alphabet[byte % alphabet.length])
  return `${letters.slice(0, 4).join('')}-${letters.slice(4).join('')}`
}

/**
 * Keyed, because a copy of the database would reveal a code of 40 bits otherwise. Bound to the
 * browser: a hash of another row is wrong.
 */
export function hashCode(code: string, browserHash: Buffer): Buffer {
  const [secret = ''] = authSecrets()
  return hashWith(secret, code, browserHash)
}

/** With the previous AUTH_SECRET too. */
export function isCode(typed: string, browserHash: Buffer, codeHash: Buffer): boolean {
  const hashes = authSecrets().map((secret) => hashWith(secret, typed, browserHash))
  return hashes.some((hash) => hash.length === codeHash.length && timingSafeEqual(hash, codeHash))
}

function hashWith(secret: string, code: string, browserHash: Buffer): Buffer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'plinth.sign-in-code', 32))
  return createHmac('sha256', key).update(browserHash).update(plainForm(code)).digest()
}

/** The alphabet has no I, L and O, but users type them. */
function plainForm(typed: string): string {
  return typed
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replace(/[IL]/g, '1')
    .replaceAll('O', '0')
}
