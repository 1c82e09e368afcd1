import type { ApiContext } from '@/core/http/scope'

/** JSON instead of a redirect, as `redirect: false` or Auth.js's client asks for. */
export function wantsJson(c: ApiContext, redirect = true): boolean {
  return !redirect || c.req.header('x-auth-return-redirect') === '1'
}
