import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { env } from '@/core/env'
import type { ApiContext } from '@/core/http/context'

/** Auth.js v5's name. With the prefix, no other host can have set it and http cannot read it. */
function cookie() {
  const { AUTH_URL, AUTH_COOKIE_SAMESITE } = env()
  const secure = AUTH_URL.startsWith('https:')
  return {
    name: secure ? '__Host-authjs.session-token' : 'authjs.session-token',
    options: {
      path: '/',
      httpOnly: true,
      secure,
      sameSite: AUTH_COOKIE_SAMESITE === 'none' ? ('None' as const) : ('Lax' as const),
    },
  }
}

export function sessionCookie(c: ApiContext): string | undefined {
  return getCookie(c, cookie().name)
}

export function setSessionCookie(c: ApiContext, token: string, expires: Date): void {
  const { name, options } = cookie()
  setCookie(c, name, token, { ...options, expires })
}

export function clearSessionCookie(c: ApiContext): void {
  const { name, options } = cookie()
  deleteCookie(c, name, options)
}
