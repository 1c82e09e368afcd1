import 'server-only'
import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits. Only the hash is ever stored: a copy of the database signs nobody in. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** The hash as text, by which a token is remembered. */
export function keyOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/** What cannot be a token is told apart without asking the database. */
export function isToken(text: string | undefined): text is string {
  return text !== undefined && /^[\w-]{43}$/.test(text)
}
