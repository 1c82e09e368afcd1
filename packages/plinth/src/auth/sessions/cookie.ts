import crypto, { createHash, randomBytes } from 'node:crypto'
import { parse } from 'hono/utils/cookie'
import type { Env } from '#config/env'
import type { Theme } from '#universal/users'

/** The names of Auth.js v5. The prefix keeps other hosts from setting the cookie. */
export function cookieNames(authUrl: string) {
  const prefix = cookiePrefix(authUrl)
  return {
    session: `${prefix}authjs.session-token`,
    /** The accounts that this browser has signed in to. It survives sign-out and is no session. */
    device: `${prefix}plinth.device`,
    csrf: `${prefix}authjs.csrf-token`,
    /** Stands for the first proof of a sign-in until its second step is done. */
    challenge: `${prefix}plinth.sign-in-challenge`,
    /** Tells the browser apart that has given proofs for a recovery. */
    recovery: `${prefix}plinth.recovery`,
    /** The email typed at a failed sign-in, to fill the form again. */
    typedEmail: `${prefix}plinth.typed-email`,
  }
}

export function cookiePrefix(authUrl: string): string {
  return authUrl.startsWith('https:') ? '__Host-' : ''
}

export function cookieOptions({ AUTH_URL, AUTH_COOKIE_SAMESITE }: Env) {
  return {
    path: '/',
    httpOnly: true,
    secure: AUTH_URL.startsWith('https:'),
    sameSite: AUTH_COOKIE_SAMESITE,
  }
}

/** Browsers keep a cookie for at most 400 days. */
export const deviceCookieSeconds = 365 * 24 * 60 * 60

/**
 * The theme of a user on a new device. public/theme.js reads it before the first paint, so it is not
 * HttpOnly. It says nothing else about the user.
 */
export function themeCookie(settings: Env, theme: Theme) {
  const options = { ...cookieOptions(settings), httpOnly: false, maxAge: deviceCookieSeconds }
  return ['theme', theme, options] as const
}

export const recoveryCookieSeconds = 30 * 24 * 60 * 60

/** The value of the recovery cookie: the one that was sent, or a new one. */
export function recoverySecret(sent: string | undefined): string {
  return isToken(sent) ? sent : newToken()
}

export function deviceCookie(header: string | undefined, name: string): string | undefined {
  return header?.includes(`${name}=`) ? parse(header, name)[name] : undefined
}

/** The token in an Authorization header. The name of the scheme is in any case. */
export function bearerToken(header: string | undefined): string | undefined {
  const token = header && /^Bearer ([\w-]+)$/i.exec(header)?.[1]
  return isToken(token) ? token : undefined
}

/** The token in a Cookie header. A header with exactly one plain session cookie needs no parsing. */
export function cookieToken(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined
  const start = header.indexOf(`${name}=`)
  if (start === -1) return undefined
  const from = start + name.length + 1
  const isFirst = start === 0 || header.startsWith('; ', start - 2)
  if (isFirst && !header.includes(name, from)) {
    const end = header.indexOf(';', from)
    const value = header.slice(from, end === -1 ? undefined : end)
    if (isToken(value)) return value
  }
  const parsed = parse(header, name)[name]
  return isToken(parsed) ? parsed : undefined
}

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
