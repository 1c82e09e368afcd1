import 'server-only'
import { and, eq, ne } from 'drizzle-orm'
import { type ListedSession, listUserSessions } from '@/core/auth/sessions/list'
import { sessions } from '@/core/db/schema'
import { runMutation } from '@/core/guard/mutation'
import type { SignedInScope } from '@/core/guard/policy'
import { type ActionError, refuse } from '@/core/ui/action-result'
import { mayUseAccount } from '../policy'

type OwnSession = ListedSession & { current: boolean }

/** The current session first, then the most recently seen. */
export async function listSessions(scope: SignedInScope, max: number): Promise<OwnSession[]> {
  const current = scope.session.id
  const listed = await listUserSessions(scope.session.user.id, max, current)
  return listed.map((session) => ({ ...session, current: session.id === current }))
}

/** Another user's session id is treated as one that does not exist. */
export async function revokeSession(
  scope: SignedInScope,
  id: string,
): Promise<{ revoked: number } | ActionError> {
  const { session } = scope
  return runMutation(
    scope,
    { name: 'revoke_session', authorize: mayUseAccount, target: id },
    async (transaction) => {
      if (id === session.id) {
        return refuse('conflict', 'You are using this session. To end it, sign out.')
      }
      const revoked = await transaction
        .delete(sessions)
        .where(and(eq(sessions.id, id), eq(sessions.userId, session.user.id)))
        .returning({ id: sessions.id })
      return revoked.length > 0
        ? { revoked: revoked.length }
        : refuse('conflict', 'This session has already ended.')
    },
  )
}

export async function revokeOtherSessions(
  scope: SignedInScope,
): Promise<{ revoked: number } | ActionError> {
  const { id, user } = scope.session
  return runMutation(
    scope,
    { name: 'revoke_other_sessions', authorize: mayUseAccount, target: user.id },
    async (transaction) => {
      const revoked = await transaction
        .delete(sessions)
        .where(and(eq(sessions.userId, user.id), ne(sessions.id, id)))
        .returning({ id: sessions.id })
      return { revoked: revoked.length }
    },
  )
}
