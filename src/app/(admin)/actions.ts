'use server'

import { refresh } from 'next/cache'
import { redirect } from 'next/navigation'
import { z } from 'zod'
import { emailField } from '@/core/auth/fields'
import { action } from '@/core/guard/action'
import { isRefusal } from '@/core/guard/action-result'
import { cursorText } from './cursor'
import {
  endUserSessions as endAll,
  endUserSession as endOne,
  deleteUser as remove,
  updateUserRole as update,
} from './data/change-users'
import { totalOf } from './data/count-users'
import { invite as sendInvitation, withdrawInvitation as withdraw } from './data/invitations'
import { listUsers as list } from './data/list-users'
import { roleField, sessionId, userId } from './fields'
import { mayAdminister } from './policy'
import { usersQuery } from './users-query'

const often = { times: 120, seconds: 60 }

export const listUsers = action(
  // As often as somebody types.
  {
    name: 'list_users',
    who: mayAdminister,
    limit: { times: 600, seconds: 60 },
    takes: usersQuery,
  },
  async ({ input, scope }) => {
    const [{ users, next }, total] = await Promise.all([list(scope, input), totalOf(scope, input)])
    return {
      users,
      nextCursor: next ? cursorText(next) : null,
      total: total.count,
      totalIsExact: total.exact,
    }
  },
)

export const updateUserRole = action(
  {
    name: 'update_user_role',
    who: mayAdminister,
    limit: often,
    takes: z.object({ userId, role: roleField }),
  },
  async ({ input, scope }) => {
    const updated = await update(scope, input.userId, input.role)
    // The page that shows it, for whoever may still see it.
    if (!isRefusal(updated)) refresh()
    return updated
  },
)

export const deleteUser = action(
  { name: 'delete_user', who: mayAdminister, limit: often, takes: z.object({ userId }) },
  async ({ input, scope }) => {
    const deleted = await remove(scope, input.userId)
    if (isRefusal(deleted)) return deleted
    redirect('/admin/users?done=deleted')
  },
)

export const endUserSession = action(
  {
    name: 'end_user_session',
    who: mayAdminister,
    limit: often,
    takes: z.object({ userId, sessionId }),
  },
  async ({ input, scope }) => {
    const ended = await endOne(scope, input.userId, input.sessionId)
    if (isRefusal(ended)) return ended
    redirect(`/admin/users/${input.userId}?done=session_ended`)
  },
)

export const endUserSessions = action(
  { name: 'end_user_sessions', who: mayAdminister, limit: often, takes: z.object({ userId }) },
  async ({ input, scope }) => {
    const ended = await endAll(scope, input.userId)
    if (isRefusal(ended)) return ended
    redirect(`/admin/users/${input.userId}?done=sessions_ended`)
  },
)

export const invite = action(
  {
    name: 'invite',
    who: mayAdminister,
    limit: often,
    takes: z.object({ email: emailField }),
    keeps: ['email'],
  },
  async ({ input, scope }) => {
    const invited = await sendInvitation(scope, input.email)
    if (isRefusal(invited)) return invited
    redirect('/admin/invitations?done=invited')
  },
)

export const withdrawInvitation = action(
  {
    name: 'withdraw_invitation',
    who: mayAdminister,
    limit: often,
    takes: z.object({ email: emailField }),
  },
  async ({ input, scope }) => {
    const withdrawn = await withdraw(scope, input.email)
    if (isRefusal(withdrawn)) return withdrawn
    redirect('/admin/invitations?done=withdrawn')
  },
)
