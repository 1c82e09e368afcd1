import 'server-only'
import type { LiveSession } from '@/core/auth/scope'

type Shown = Pick<LiveSession, 'user' | 'expiresAt'>

export type PublicSession = { user: LiveSession['user']; expires: string }

/** What anybody may be told of their own session. */
export function publicSession({
  user: { id, email, name, role },
  expiresAt,
}: Shown): PublicSession {
  return { user: { id, email, name, role }, expires: expiresAt.toISOString() }
}
