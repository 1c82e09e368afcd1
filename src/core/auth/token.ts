import 'server-only'
import crypto, { createHash, randomBytes } from 'node:crypto'

/** 256 random bits. Only the hash is ever stored: a copy of the database signs nobody in. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/**
 * The hash as text, a character for each byte, by which a token is remembered. In one call where
 * the runtime has it, which is from Node 20.12 on: an object for each hash costs as much again, and
 * then its collection.
 */
export const keyOf: (token: string) => string =
  'hash' in crypto
    ? (token) => crypto.hash('sha256', token, 'binary')
    : (token) => hashToken(token).toString('binary')

/** What cannot be a token is told apart without asking the database. */
export function isToken(text: string | undefined): text is string {
  return text !== undefined && /^[\w-]{43}$/.test(text)
}
