import 'server-only'
import { type ListedSession, listUserSessions } from '@/core/auth/sessions/list'
import type { SignedInScope } from '@/core/guard/policy'

type OwnSession = ListedSession & { current: boolean }

/** The current session first, then the most recently seen. */
export async function listSessions(scope: SignedInScope, max: number): Promise<OwnSession[]> {
  const current = scope.session.id
  const listed = await listUserSessions(scope.session.user.id, max, current)
  return listed.map((session) => ({ ...session, current: session.id === current }))
}
