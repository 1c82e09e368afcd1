import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { parse } from 'hono/utils/cookie'
import { cookieOptions, cookiePrefix } from '#auth/sessions/cookie'
import { authSecrets, env } from '#config/env'
import type { Flash } from '#universal/action-result'

export function flashCookieName(authUrl: string): string {
  return `${cookiePrefix(authUrl)}plinth.flash`
}

/**
 * The message for the next page. Scripts may see that one waits, and prefetch no page meanwhile, so the
 * cookie is not HttpOnly.
 */
export function flashCookie(flash: Omit<Flash, 'id'>, userId: string | undefined) {
  const options = { ...cookieOptions(env()), httpOnly: false, maxAge: redirectSeconds }
  return [flashCookieName(env().AUTH_URL), encodeFlash(flash, userId), options] as const
}

/** The browser follows the redirect immediately. */
const redirectSeconds = 60

export function readFlashCookie(header: string | undefined, authUrl: string): string | undefined {
  const name = flashCookieName(authUrl)
  return header?.includes(`${name}=`) ? parse(header, name)[name] : undefined
}

/**
 * Signed for the user: a message has the page's authority, and its undo button changes data. An
 * attacker who can set a cookie must not write one.
 */
export function encodeFlash(flash: Omit<Flash, 'id'>, userId: string | undefined): string {
  const content = Buffer.from(JSON.stringify({ id: randomUUID(), ...flash })).toString('base64url')
  const [secret = ''] = authSecrets()
  return `${content}.${sign(secret, content, userId)}`
}

/** Undefined if it was not written for this user. */
export function decodeFlash(
  cookie: string | undefined,
  userId: string | undefined,
): Flash | undefined {
  const [content, signature] = cookie?.split('.') ?? []
  if (!content || !signature || !/^[\w-]{43}$/.test(signature)) return undefined
  const isSigned = authSecrets().some((secret) =>
    timingSafeEqual(Buffer.from(sign(secret, content, userId)), Buffer.from(signature)),
  )
  return isSigned ? JSON.parse(Buffer.from(content, 'base64url').toString()) : undefined
}

function sign(secret: string, content: string, userId = ''): string {
  return createHmac('sha256', secret)
    .update(`plinth.flash ${userId} ${content}`)
    .digest('base64url')
}
