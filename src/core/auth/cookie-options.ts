import type { Env } from '@/core/env'

/** Scripts cannot read it, and other sites do not send it along unless the deployer wants that. */
export function cookieOptions({ AUTH_URL, AUTH_COOKIE_SAMESITE }: Env) {
  return {
    path: '/',
    httpOnly: true,
    secure: AUTH_URL.startsWith('https:'),
    sameSite: AUTH_COOKIE_SAMESITE,
  }
}
