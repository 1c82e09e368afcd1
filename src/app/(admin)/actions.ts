'use server'

import { refresh } from 'next/cache'
import { redirect } from 'next/navigation'
import { z } from 'zod'
import { emailField } from '@/core/auth/accounts/fields'
import { action } from '@/core/guard/action'
import { isActionError } from '@/core/ui/action-result'
import { encodeCursor } from './cursor'
import { countUsers } from './data/count-users'
import { cancelInvitation as cancel, inviteUser as invite } from './data/invitations'
import { listUsers as list } from './data/list-users'
import {
  deleteUser as remove,
  revokeAllUserSessions as revokeAll,
  revokeUserSession as revokeOne,
  updateUserRole as update,
} from './data/manage-users'
import { roleField, sessionId, userId } from './fields'
import { mayAdminister } from './policy'
import { usersQuery } from './users-query'

const mutationLimit = { times: 120, seconds: 60 }

/** The user filter of the audit log calls it while the admin types. */
const searchLimit = { times: 600, seconds: 60 }

export const listUsers = action(
  { name: 'list_users', authorize: mayAdminister, rateLimit: searchLimit, input: usersQuery },
  async ({ input, scope }) => {
    const [{ users, next }, total] = await Promise.all([
      list(scope, input),
      countUsers(scope, input),
    ])
    return {
      users,
      nextCursor: next ? encodeCursor(next) : null,
      total: total.count,
      totalIsExact: total.exact,
    }
  },
)

export const updateUserRole = action(
  {
    name: 'update_user_role',
    authorize: mayAdminister,
    rateLimit: mutationLimit,
    input: z.object({ userId, role: roleField }),
  },
  async ({ input, scope }) => {
    const updated = await update(scope, input.userId, input.role)
    if (!isActionError(updated)) refresh()
    return updated
  },
)

export const deleteUser = action(
  {
    name: 'delete_user',
    authorize: mayAdminister,
    rateLimit: mutationLimit,
    input: z.object({ userId }),
  },
  async ({ input, scope }) => {
    const deleted = await remove(scope, input.userId)
    if (isActionError(deleted)) return deleted
    redirect('/admin/users?done=user_deleted')
  },
)

export const revokeUserSession = action(
  {
    name: 'revoke_user_session',
    authorize: mayAdminister,
    rateLimit: mutationLimit,
    input: z.object({ userId, sessionId }),
  },
  async ({ input, scope }) => {
    const revoked = await revokeOne(scope, input.userId, input.sessionId)
    if (isActionError(revoked)) return revoked
    redirect(`/admin/users/${input.userId}?done=session_revoked`)
  },
)

export const revokeAllUserSessions = action(
  {
    name: 'revoke_user_sessions',
    authorize: mayAdminister,
    rateLimit: mutationLimit,
    input: z.object({ userId }),
  },
  async ({ input, scope }) => {
    const revoked = await revokeAll(scope, input.userId)
    if (isActionError(revoked)) return revoked
    redirect(`/admin/users/${input.userId}?done=sessions_revoked`)
  },
)

export const inviteUser = action(
  {
    name: 'invite_user',
    authorize: mayAdminister,
    rateLimit: mutationLimit,
    input: z.object({ email: emailField }),
    keeps: ['email'],
  },
  async ({ input, scope }) => {
    const invited = await invite(scope, input.email)
    if (isActionError(invited)) return invited
    redirect('/admin/invitations?done=invitation_sent')
  },
)

export const cancelInvitation = action(
  {
    name: 'cancel_invitation',
    authorize: mayAdminister,
    rateLimit: mutationLimit,
    input: z.object({ email: emailField }),
  },
  async ({ input, scope }) => {
    const canceled = await cancel(scope, input.email)
    if (isActionError(canceled)) return canceled
    redirect('/admin/invitations?done=invitation_canceled')
  },
)
