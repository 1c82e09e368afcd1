import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { cookieNames } from '@/core/auth/cookie-names'
import { env } from '@/core/env'
import type { ApiContext } from '@/core/http/context'

function cookie() {
  const { AUTH_URL, AUTH_COOKIE_SAMESITE } = env()
  return {
    names: cookieNames(AUTH_URL),
    options: {
      path: '/',
      httpOnly: true,
      secure: AUTH_URL.startsWith('https:'),
      sameSite: AUTH_COOKIE_SAMESITE === 'none' ? ('None' as const) : ('Lax' as const),
    },
  }
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
