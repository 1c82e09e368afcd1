import { identify } from '@/core/auth/identify'
import type { Scope } from '@/core/auth/scope'
import { clientAddress } from '@/core/http/client-address'
import type { ApiContext } from '@/core/http/context'
import { sessionCookie } from '@/core/http/session-cookie'

/** Who asks. Looked up once a request, and only when somebody wants to know. */
export async function scopeOf(c: ApiContext): Promise<Scope> {
  const known = c.get('scope')
  if (known) return known
  const { session, bearer } = await identify({
    authorization: c.req.header('authorization'),
    cookie: sessionCookie(c),
  })
  const address = clientAddress(
    c.env?.incoming?.socket.remoteAddress,
    c.req.header('x-forwarded-for'),
  )
  const scope = { session, bearer, address, requestId: c.get('requestId') }
  c.set('scope', scope)
  if (session) c.set('userId', session.user.id)
  return scope
}
