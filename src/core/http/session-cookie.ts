import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { cookieNames } from '@/core/auth/cookie-names'
import { cookieOptions } from '@/core/auth/cookie-options'
import { env } from '@/core/env'
import type { ApiContext } from '@/core/http/context'

function cookie() {
  return { names: cookieNames(env().AUTH_URL), options: cookieOptions(env()) }
}

export function sessionCookie(c: ApiContext): string | undefined {
  return getCookie(c, cookie().names.session)
}

export function setSessionCookie(c: ApiContext, token: string, expires: Date): void {
  const { names, options } = cookie()
  setCookie(c, names.session, token, { ...options, expires })
}

export function clearSessionCookie(c: ApiContext): void {
  const { names, options } = cookie()
  deleteCookie(c, names.session, options)
}

/** Kept for a minute and out of the address bar, where histories and logs would keep it longer. */
export function rememberTypedEmail(c: ApiContext, email: string): void {
  const { names, options } = cookie()
  setCookie(c, names.typedEmail, email.slice(0, 254), { ...options, maxAge: 60 })
}
