import { setCookie } from 'hono/cookie'
import { cookieOptions } from '@/core/auth/sessions/cookie'
import { env } from '@/core/config/env'
import { encodeFlash, flashCookieName, flashCookieSeconds } from '@/core/flash/cookie'
import type { ApiContext } from '@/core/http/scope'

/** What the page says, once, that the response redirects to. */
export function setFlashCookie(c: ApiContext, text: string, userId: string): void {
  const options = { ...cookieOptions(env()), maxAge: flashCookieSeconds }
  setCookie(c, flashCookieName(env().AUTH_URL), encodeFlash({ text }, userId), options)
}
