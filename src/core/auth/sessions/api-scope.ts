import 'server-only'
import { readScope } from '@/core/auth/sessions/scope'
import { clientIp } from '@/core/http/headers'
import type { ApiContext, Scope } from '@/core/http/scope'

/** The caller of an API route, read once per request and only when needed. */
export async function apiScope(c: ApiContext): Promise<Scope> {
  const cached = c.get('scope')
  if (cached) return cached
  const scope = await readScope({
    authorization: c.req.header('authorization'),
    cookie: c.req.header('cookie'),
    ...caller(c),
  })
  c.set('scope', scope)
  if (scope.session) c.set('userId', scope.session.user.id)
  return scope
}

/** For routes that are the same for every caller: the session is not read. */
export function anonymousScope(c: ApiContext): Scope {
  return { session: undefined, bearer: false, ...caller(c) }
}

function caller(c: ApiContext) {
  const remoteIp = c.env?.incoming?.socket.remoteAddress
  return {
    ip: clientIp(remoteIp, c.req.header('x-forwarded-for')),
    requestId: c.get('requestId'),
    userAgent: c.req.header('user-agent'),
  }
}
