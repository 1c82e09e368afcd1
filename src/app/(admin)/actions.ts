'use server'

import { and, eq, sql } from 'drizzle-orm'
import { refresh } from 'next/cache'
import { z } from 'zod'
import { deleteUserAndData } from '@/core/auth/accounts/delete-user'
import { encodeSessionCursor, sessionCursorField } from '@/core/auth/sessions/list'
import { revokeUserSessions } from '@/core/auth/sessions/session'
import { sessions, users } from '@/core/db/schema'
import { action } from '@/core/guard/action'
import { mutation } from '@/core/guard/mutation'
import { refuse } from '@/core/ui/action-result'
import { urlWith } from '@/core/ui/url'
import { encodeCursor } from './cursor'
import { countUsers } from './data/count-users'
import { findUsers } from './data/list-users'
import { roleField, sessionId, userId } from './fields'
import { mayAdminister } from './policy'
import { usersQuery } from './users-query'

const mutationLimit = { times: 120, seconds: 60 }

/** The user filter of the audit log calls it while the admin types. */
const searchLimit = { times: 600, seconds: 60 }

export const listUsers = action(
  { name: 'list_users', authorize: mayAdminister, rateLimit: searchLimit, input: usersQuery },
  async ({ input }) => {
    const [{ users, next }, total] = await Promise.all([findUsers(input), countUsers(input)])
    return {
      users,
      nextCursor: next ? encodeCursor(next) : null,
      total: total.count,
      totalIsExact: total.exact,
    }
  },
)

/** Takes effect on the user's next request. The database refuses to demote the last admin. */
export const updateUserRole = mutation(
  {
    name: 'update_user_role',
    authorize: mayAdminister,
    rateLimit: mutationLimit,
    recentSignIn: true,
    input: z.object({ userId, role: roleField }),
    keeps: ['role'],
    target: ({ input }) => input.userId,
    lockUsers: ({ input }) => [input.userId],
    details: ({ input }) => ({ role: input.role }),
  },
  async ({ tx, input: { userId, role } }) => {
    const [updated] = await tx
      .update(users)
      .set({ role, updatedAt: sql`now()` })
      .where(eq(users.id, userId))
      .returning({ role: users.role })
    return updated ?? userNotFound()
  },
  async ({ result }) => {
    refresh()
    return result
  },
)

/** Refuses the admin's own account: the account page also requires the password. */
export const deleteUser = mutation(
  {
    name: 'delete_user',
    authorize: mayAdminister,
    rateLimit: mutationLimit,
    recentSignIn: true,
    input: z.object({ userId }),
    target: ({ input }) => input.userId,
    lockUsers: ({ input }) => [input.userId],
    redirectTo: '/admin/users?done=user_deleted',
  },
  async ({ tx, scope, input: { userId } }) => {
    if (userId === scope.session.user.id) {
      return refuse('conflict', 'To delete your own account, go to your account page.')
    }
    return (await deleteUserAndData(tx, userId)) ? { deleted: true } : userNotFound()
  },
)

/** The session must belong to the user. */
export const revokeUserSession = mutation(
  {
    name: 'revoke_user_session',
    authorize: mayAdminister,
    rateLimit: mutationLimit,
    recentSignIn: true,
    // The page of the list, to lead back to it.
    input: z.object({ userId, sessionId, sessions: sessionCursorField.optional() }),
    target: ({ input }) => input.userId,
    lockUsers: ({ input }) => [input.userId],
    // The message is at the top. Without a fragment, browsers would keep that of the list.
    redirectTo: ({ input: { userId, sessions: cursor } }) => {
      const sessions = cursor && encodeSessionCursor(cursor)
      return `${urlWith(`/admin/users/${userId}`, { sessions, done: 'session_revoked' })}#main`
    },
  },
  async ({ tx, input: { userId, sessionId } }) => {
    const revoked = await tx
      .delete(sessions)
      .where(and(eq(sessions.id, sessionId), eq(sessions.userId, userId)))
      .returning({ id: sessions.id })
    return revoked.length > 0
      ? { revoked: revoked.length }
      : refuse('conflict', 'This session has already ended.')
  },
)

export const revokeAllUserSessions = mutation(
  {
    name: 'revoke_user_sessions',
    authorize: mayAdminister,
    rateLimit: mutationLimit,
    recentSignIn: true,
    input: z.object({ userId }),
    target: ({ input }) => input.userId,
    lockUsers: ({ input }) => [input.userId],
    redirectTo: ({ input }) => `/admin/users/${input.userId}?done=sessions_revoked`,
  },
  async ({ tx, input }) => ({ revoked: await revokeUserSessions(tx, input.userId) }),
)

const userNotFound = () => refuse('conflict', 'This user no longer exists.')
