import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import {
  cookieNames,
  cookieOptions,
  deviceCookieSeconds,
  themeCookie,
} from '@/core/auth/sessions/cookie'
import { cookieLifetime } from '@/core/auth/sessions/lifetime'
import type { NewSession } from '@/core/auth/sessions/session'
import { env } from '@/core/config/env'
import type { ApiContext } from '@/core/http/scope'
import { rememberAccount } from '@/core/rate-limits/known-device'

export function setSessionCookie(c: ApiContext, token: string, expires: Date): void {
  setCookie(c, names().session, token, { ...cookieOptions(env()), ...cookieLifetime(expires) })
}

/**
 * After a sign-in: guesses from elsewhere do not lock this browser out of the account, and it shows
 * the user's theme.
 */
export function setSignInCookies(c: ApiContext, { token, session }: NewSession): void {
  setSessionCookie(c, token, session.expiresAt)
  const { device: name } = names()
  const device = rememberAccount(getCookie(c, name), session.user.email)
  setCookie(c, name, device, { ...cookieOptions(env()), maxAge: deviceCookieSeconds })
  if (session.user.theme) setCookie(c, ...themeCookie(env(), session.user.theme))
}

export function clearSessionCookie(c: ApiContext): void {
  deleteCookie(c, names().session, cookieOptions(env()))
}

/** In a cookie for a minute, because a URL would end up in histories and logs. */
export function rememberTypedEmail(c: ApiContext, email: string): void {
  setCookie(c, names().typedEmail, email.slice(0, 254), { ...cookieOptions(env()), maxAge: 60 })
}

function names() {
  return cookieNames(env().AUTH_URL)
}
