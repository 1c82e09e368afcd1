import { deleteCookie, setCookie } from 'hono/cookie'
import { cookieNames, cookieOptions } from '@/core/auth/sessions/cookie'
import { env } from '@/core/config/env'
import type { ApiContext } from '@/core/http/context'

export function setSessionCookie(c: ApiContext, token: string, expires: Date): void {
  setCookie(c, names().session, token, { ...cookieOptions(env()), expires })
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
