import 'server-only'
import { and, eq, sql } from 'drizzle-orm'
import { deleteUser as removeUser } from '@/core/auth/delete-user'
import type { Role } from '@/core/auth/roles'
import { sessions, users } from '@/core/db/schema'
import { type Refusal, refuse } from '@/core/guard/action-result'
import { change } from '@/core/guard/change'
import type { SignedInScope } from '@/core/guard/policy'
import { mayAdminister } from '../policy'

const gone = () => refuse('conflict', 'This person no longer has an account.')

/** Their next request is answered by the new role. The last admin is refused by the database. */
export async function updateUserRole(
  scope: SignedInScope,
  userId: string,
  role: Role,
): Promise<{ role: Role } | Refusal> {
  const declared = { name: 'update_user_role', who: mayAdminister, target: userId }
  return change(
    scope,
    { ...declared, concerns: [userId], details: { role } },
    async (transaction) => {
      const [updated] = await transaction
        .update(users)
        .set({ role, updatedAt: sql`now()` })
        .where(eq(users.id, userId))
        .returning({ role: users.role })
      return updated ?? gone()
    },
  )
}

/** Somebody else's account; one's own asks for more, and is not deleted here. */
export async function deleteUser(
  scope: SignedInScope,
  userId: string,
): Promise<{ deleted: true } | Refusal> {
  const declared = { name: 'delete_user', who: mayAdminister, target: userId }
  return change(scope, { ...declared, concerns: [userId] }, async (transaction) => {
    if (userId === scope.session.user.id) {
      return refuse('conflict', 'You delete your own account on your account page, not here.')
    }
    return (await removeUser(transaction, userId)) ? { deleted: true } : gone()
  })
}

/** One session, which must be this person's: two ids that do not belong together end nothing. */
export async function endUserSession(
  scope: SignedInScope,
  userId: string,
  sessionId: string,
): Promise<{ ended: number } | Refusal> {
  const declared = { name: 'end_user_session', who: mayAdminister, target: userId }
  return change(scope, { ...declared, concerns: [userId] }, async (transaction) => {
    const ended = await transaction
      .delete(sessions)
      .where(and(eq(sessions.id, sessionId), eq(sessions.userId, userId)))
      .returning({ id: sessions.id })
    return ended.length > 0
      ? { ended: ended.length }
      : refuse('conflict', 'This session has ended already.')
  })
}

export async function endUserSessions(
  scope: SignedInScope,
  userId: string,
): Promise<{ ended: number } | Refusal> {
  const declared = { name: 'end_user_sessions', who: mayAdminister, target: userId }
  return change(scope, { ...declared, concerns: [userId] }, async (transaction) => {
    const ended = await transaction
      .delete(sessions)
      .where(eq(sessions.userId, userId))
      .returning({ id: sessions.id })
    return { ended: ended.length }
  })
}
