import 'server-only'
import { and, eq, gt, sql } from 'drizzle-orm'
import { exportUserSessions, type ListedSession, listUserSessions } from 'plinth/auth/sessions/list'
import { database } from 'plinth/db/client'
import type { Cursor } from 'plinth/db/list'
import { sessions } from 'plinth/db/schema'
import type { SignedInScope } from 'plinth/guard/policy'

type OwnSession = ListedSession & { current: boolean }

/** A page: the current session first, then the most recently seen. */
export async function listSessions({ session: { id, user } }: SignedInScope, cursor?: Cursor) {
  const { sessions: listed, next, previous } = await listUserSessions(user.id, id, cursor)
  return { sessions: listed.map((session) => asOwn(session, id)), next, previous }
}

export function countSessions({ session: { user } }: SignedInScope): Promise<number> {
  const live = gt(sessions.expiresAt, sql`now()`)
  return database().$count(sessions, and(eq(sessions.userId, user.id), live))
}

export async function exportSessions({
  session: { id, user },
}: SignedInScope): Promise<OwnSession[]> {
  const all = await exportUserSessions(user.id, id)
  return all.map((session) => asOwn(session, id))
}

function asOwn(session: ListedSession, current: string): OwnSession {
  return { ...session, current: session.id === current }
}
