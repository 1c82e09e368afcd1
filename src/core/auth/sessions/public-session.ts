import 'server-only'
import type { Session } from '@/core/http/scope'

/** The fields of a session that its owner sees. */
export function publicSession({ user, expiresAt }: Pick<Session, 'user' | 'expiresAt'>) {
  const { id, email, name, role } = user
  return { user: { id, email, name, role }, expires: expiresAt.toISOString() }
}
