import 'server-only'
import { and, eq, ne } from 'drizzle-orm'
import { listSessionsOf, type ShownSession } from '@/core/auth/list-sessions'
import { sessions } from '@/core/db/schema'
import { type Refusal, refuse } from '@/core/guard/action-result'
import { change } from '@/core/guard/change'
import type { SignedInScope } from '@/core/guard/policy'
import { mayUseAccount } from '../policy'

type OwnSession = ShownSession & {
  /** It is the one that asks. */
  current: boolean
}

/** The one that asks, then the others, the last seen first. */
export async function listSessions(scope: SignedInScope, atMost: number): Promise<OwnSession[]> {
  const own = scope.session.id
  const listed = await listSessionsOf(scope.session.user.id, atMost, own)
  return listed.map((session) => ({ ...session, current: session.id === own }))
}

/** Only ever one's own: somebody else's id is one that does not exist. */
export async function endSession(
  scope: SignedInScope,
  id: string,
): Promise<{ ended: number } | Refusal> {
  const { session } = scope
  return change(
    scope,
    { name: 'end_session', who: mayUseAccount, target: id },
    async (transaction) => {
      if (id === session.id) {
        return refuse('conflict', 'This is the session that you are using. Sign out instead.')
      }
      const ended = await transaction
        .delete(sessions)
        .where(and(eq(sessions.id, id), eq(sessions.userId, session.user.id)))
        .returning({ id: sessions.id })
      return ended.length > 0
        ? { ended: ended.length }
        : refuse('conflict', 'This session has ended already.')
    },
  )
}

export async function endOtherSessions(scope: SignedInScope): Promise<{ ended: number } | Refusal> {
  const { id, user } = scope.session
  return change(
    scope,
    { name: 'end_other_sessions', who: mayUseAccount, target: user.id },
    async (transaction) => {
      const ended = await transaction
        .delete(sessions)
        .where(and(eq(sessions.userId, user.id), ne(sessions.id, id)))
        .returning({ id: sessions.id })
      return { ended: ended.length }
    },
  )
}
