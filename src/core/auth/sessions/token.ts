import 'server-only'
import crypto, { createHash, randomBytes } from 'node:crypto'

/** 256 random bits. Only the hash is stored: a copy of the database signs no one in. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/**
 * The hash as a binary string, the key of the session cache. `crypto.hash` (Node 20.12 and later)
 * avoids the Hash object, which doubles the cost.
 */
export const cacheKey: (token: string) => string =
  'hash' in crypto
    ? (token) => crypto.hash('sha256', token, 'binary')
    : (token) => hashToken(token).toString('binary')

/** Whether the text can be a token at all, so that the database need not be queried. */
export function isToken(text: string | undefined): text is string {
  return text !== undefined && /^[\w-]{43}$/.test(text)
}
