import 'server-only'
import { and, eq, sql } from 'drizzle-orm'
import { deleteUser as removeUser } from '@/core/auth/accounts/delete-user'
import type { Role } from '@/core/config/roles'
import { sessions, users } from '@/core/db/schema'
import { runMutation } from '@/core/guard/mutation'
import type { SignedInScope } from '@/core/guard/policy'
import { type ActionError, refuse } from '@/core/ui/action-result'
import { mayAdminister } from '../policy'

const notFound = () => refuse('conflict', 'This user no longer exists.')

/** Takes effect on the user's next request. The database refuses to demote the last admin. */
export async function updateUserRole(
  scope: SignedInScope,
  userId: string,
  role: Role,
): Promise<{ role: Role } | ActionError> {
  const mutation = { name: 'update_user_role', authorize: mayAdminister, target: userId }
  return runMutation(
    scope,
    { ...mutation, lockUsers: [userId], details: { role } },
    async (transaction) => {
      const [updated] = await transaction
        .update(users)
        .set({ role, updatedAt: sql`now()` })
        .where(eq(users.id, userId))
        .returning({ role: users.role })
      return updated ?? notFound()
    },
  )
}

/** Refuses the admin's own account: the account page also requires the password. */
export async function deleteUser(
  scope: SignedInScope,
  userId: string,
): Promise<{ deleted: true } | ActionError> {
  const mutation = { name: 'delete_user', authorize: mayAdminister, target: userId }
  return runMutation(scope, { ...mutation, lockUsers: [userId] }, async (transaction) => {
    if (userId === scope.session.user.id) {
      return refuse('conflict', 'To delete your own account, go to your account page.')
    }
    return (await removeUser(transaction, userId)) ? { deleted: true } : notFound()
  })
}

/** The session must belong to the user. */
export async function revokeUserSession(
  scope: SignedInScope,
  userId: string,
  sessionId: string,
): Promise<{ revoked: number } | ActionError> {
  const mutation = { name: 'revoke_user_session', authorize: mayAdminister, target: userId }
  return runMutation(scope, { ...mutation, lockUsers: [userId] }, async (transaction) => {
    const revoked = await transaction
      .delete(sessions)
      .where(and(eq(sessions.id, sessionId), eq(sessions.userId, userId)))
      .returning({ id: sessions.id })
    return revoked.length > 0
      ? { revoked: revoked.length }
      : refuse('conflict', 'This session has already ended.')
  })
}

export async function revokeAllUserSessions(
  scope: SignedInScope,
  userId: string,
): Promise<{ revoked: number } | ActionError> {
  const mutation = { name: 'revoke_user_sessions', authorize: mayAdminister, target: userId }
  return runMutation(scope, { ...mutation, lockUsers: [userId] }, async (transaction) => {
    const revoked = await transaction
      .delete(sessions)
      .where(eq(sessions.userId, userId))
      .returning({ id: sessions.id })
    return { revoked: revoked.length }
  })
}
