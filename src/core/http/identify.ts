import type { LiveSession, Scope } from '@/core/auth/scope'
import { findSession } from '@/core/auth/sessions'
import { isToken } from '@/core/auth/token'
import { clientAddress } from '@/core/http/client-address'
import type { ApiContext } from '@/core/http/context'
import { sessionCookie } from '@/core/http/session-cookie'

/** Who asks. Looked up once a request, and only when somebody wants to know. */
export async function scopeOf(c: ApiContext): Promise<Scope> {
  const known = c.get('scope')
  if (known) return known
  const byBearer = await bearerSession(c)
  const session = byBearer ?? (await cookieSession(c))
  const address = clientAddress(
    c.env?.incoming?.socket.remoteAddress,
    c.req.header('x-forwarded-for'),
  )
  const scope = { session, address, requestId: c.get('requestId') }
  c.set('scope', scope)
  c.set('bearer', byBearer !== undefined)
  if (session) c.set('userId', session.user.id)
  return scope
}

/** A live bearer wins; a dead, malformed or foreign one is as if it were not there. */
export async function bearerSession(c: ApiContext): Promise<LiveSession | undefined> {
  const token = /^Bearer ([\w-]+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
  return isToken(token) ? findSession(token) : undefined
}

async function cookieSession(c: ApiContext): Promise<LiveSession | undefined> {
  const token = sessionCookie(c)
  return isToken(token) ? findSession(token) : undefined
}
