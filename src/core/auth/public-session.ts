import 'server-only'
import type { LiveSession } from '@/core/auth/scope'

/** What anybody may be told of their own session. */
export function publicSession({ user: { id, email, name, role }, expiresAt }: LiveSession) {
  return { user: { id, email, name, role }, expires: expiresAt.toISOString() }
}
