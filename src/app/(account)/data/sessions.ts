import 'server-only'
import { exportUserSessions, type ListedSession, listUserSessions } from '@/core/auth/sessions/list'
import type { Cursor } from '@/core/db/list/cursor'
import type { SignedInScope } from '@/core/guard/policy'

type OwnSession = ListedSession & { current: boolean }

/** A page: the current session first, then the most recently seen. */
export async function listSessions({ session: { id, user } }: SignedInScope, cursor?: Cursor) {
  const { sessions, next, previous } = await listUserSessions(user.id, id, cursor)
  return { sessions: sessions.map((session) => asOwn(session, id)), next, previous }
}

export async function exportSessions({
  session: { id, user },
}: SignedInScope): Promise<OwnSession[]> {
  const sessions = await exportUserSessions(user.id, id)
  return sessions.map((session) => asOwn(session, id))
}

function asOwn(session: ListedSession, current: string): OwnSession {
  return { ...session, current: session.id === current }
}
