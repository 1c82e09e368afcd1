'use server'

import { and, eq, sql } from 'drizzle-orm'
import { deleteUserAndData } from 'plinth/auth/accounts/users'
import { encodeSessionCursor, sessionCursorField } from 'plinth/auth/sessions/list'
import { revokeUserSessions } from 'plinth/auth/sessions/session'
import { sessions, users } from 'plinth/db/schema'
import { action } from 'plinth/guard/action'
import { mutation } from 'plinth/guard/mutation'
import { refuse } from 'plinth/universal/action-result'
import { deviceOf } from 'plinth/universal/device'
import { urlWith } from 'plinth/universal/url'
import { z } from 'zod'
import { encodeCursor } from './cursor'
import { countUsers } from './data/count-users'
import { findUser, findUsersById } from './data/find-user'
import { findUsers } from './data/list-users'
import { confirmedField, roleField, sessionId, userId } from './fields'
import { mayAdminister } from './policy'
import { ownDemotionError, unchangedRole } from './role-change'
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
    input: z.object({ userId, role: roleField, confirmed: confirmedField }),
    keeps: ['role'],
    target: ({ input }) => input.userId,
    lockUsers: ({ input }) => [input.userId],
    details: ({ input }) => ({ role: input.role }),
    // Before the transaction, so that neither is in the audit log as a failed change.
    prepare: async ({ scope, input: { userId, role, confirmed } }) => {
      const user = await findUser(userId)
      if (user?.role === role) return unchangedRole(role)
      return userId === scope.session.user.id ? ownDemotionError(role, confirmed) : undefined
    },
    redirectTo: ({ scope, input: { userId } }) =>
      // The last admin stays one, so this was a demotion: the caller may no longer see the page.
      userId === scope.session.user.id ? '/home' : `/admin/users/${userId}`,
  },
  async ({ tx, scope, input: { userId, role }, notify, addDetails }) => {
    const [user] = await findUsersById([userId], tx)
    if (!user) return userNotFound()
    if (user.role === role) return unchangedRole(role)
    await tx.update(users).set({ role, updatedAt: sql`now()` }).where(eq(users.id, userId))
    addDetails({ from: user.role })
    if (userId === scope.session.user.id) notify(`You are now ${role}.`)
    else {
      const undo = { action: 'update_user_role', fields: { userId, role: user.role } }
      notify(`Role of ${user.name} changed from ${user.role} to ${role}.`, undo)
    }
    return { role }
  },
)

/**
 * Erases at once, also an account that its user has deleted and that could be recovered. Refuses the
 * admin's own account: the account page also requires the password.
 */
export const deleteUser = mutation(
  {
    name: 'delete_user',
    authorize: mayAdminister,
    rateLimit: mutationLimit,
    recentSignIn: true,
    input: z.object({ userId }),
    target: ({ input }) => input.userId,
    lockUsers: ({ input }) => [input.userId],
    redirectTo: '/admin/users',
  },
  async ({ tx, scope, input: { userId }, notify }) => {
    if (userId === scope.session.user.id) {
      return refuse('conflict', 'To delete your own account, go to your account page.')
    }
    const [user] = await findUsersById([userId], tx)
    if (!(await deleteUserAndData(tx, userId))) return userNotFound()
    notify(user ? `Account ${user.email} deleted.` : 'Deleted account erased.')
    return { deleted: true }
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
    redirectTo: ({ scope, input: { userId, sessionId, sessions: cursor } }) => {
      if (sessionId === scope.session.id) return '/sign-in'
      const sessions = cursor && encodeSessionCursor(cursor)
      return `${urlWith(`/admin/users/${userId}`, { sessions })}#main`
    },
  },
  async ({ tx, input: { userId, sessionId }, notify }) => {
    const [revoked] = await tx
      .delete(sessions)
      .where(and(eq(sessions.id, sessionId), eq(sessions.userId, userId)))
      .returning({ userAgent: sessions.userAgent })
    if (!revoked) return refuse('conflict', 'This session has already ended.')
    const device = deviceOf(revoked.userAgent ?? undefined)
    const [user] = await findUsersById([userId], tx)
    notify(`Session of ${user?.name} on ${device} revoked.`)
    return { revoked: 1 }
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
    redirectTo: ({ scope, input: { userId } }) =>
      userId === scope.session.user.id ? '/sign-in' : `/admin/users/${userId}`,
  },
  async ({ tx, input: { userId }, notify }) => {
    const revoked = await revokeUserSessions(tx, userId)
    const [user] = await findUsersById([userId], tx)
    if (user) notify(`All sessions of ${user.name} revoked.`)
    return { revoked }
  },
)

const userNotFound = () => refuse('conflict', 'This user no longer exists.')
