'use server'

import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { z } from 'zod'
import { nameField, newPasswordField } from '@/core/auth/fields'
import { forgetSession, keepSession } from '@/core/auth/keep-session'
import { askToResetPassword } from '@/core/auth/reset'
import { unlessTooBusy } from '@/core/auth/unless-too-busy'
import { action } from '@/core/guard/action'
import { isRefusal, refuse } from '@/core/guard/action-result'
import type { SignedInScope } from '@/core/guard/policy'
import { askedTooOften } from '@/core/guard/too-often'
import { changePassword as change } from './data/change-password'
import { deleteAccount as remove } from './data/delete-account'
import { endSession as end, endOtherSessions as endOthers } from './data/sessions'
import { updateProfile as update } from './data/update-profile'
import { unlinkAccount as unlink } from './data/ways-in'
import { confirmationField, currentPasswordField, providerField, sessionId } from './fields'
import { mayUseAccount } from './policy'

const often = { times: 60, seconds: 60 }
const seldom = { times: 30, seconds: 600 }

export const updateProfile = action(
  {
    name: 'update_profile',
    who: mayUseAccount,
    limit: often,
    takes: z.object({ name: nameField }),
    keeps: ['name'],
  },
  async ({ input, scope }) => {
    const updated = await update(scope, input)
    if (isRefusal(updated)) return updated
    redirect('/account?done=profile')
  },
)

/**
 * Who calls with a bearer token finds the new one in `data`, since there is no cookie to put it
 * into; the old one has ended like every other.
 */
export const changePassword = action(
  {
    name: 'change_password',
    who: mayUseAccount,
    limit: seldom,
    takes: z.object({ currentPassword: currentPasswordField, newPassword: newPasswordField }),
  },
  async ({ input, scope }) => {
    const userAgent = (await headers()).get('user-agent') ?? undefined
    const changed = await unlessTooBusy(() => change(scope, input, userAgent))
    if (changed === 'no_password') return mailLink(scope)
    if (isRefusal(changed)) return changed
    if ('outcome' in changed) return refuse('rate_limited')
    if (scope.bearer) return { token: changed.token }
    await keepSession(changed)
    return redirect('/account?done=password')
  },
)

/** How an account without a password gets one: whoever has its mailbox sets it. */
export const sendPasswordLink = action(
  {
    name: 'send_password_link',
    who: mayUseAccount,
    limit: seldom,
    takes: z.object({ purpose: z.literal('set_password') }),
  },
  async ({ scope }) => mailLink(scope),
)

export const endSession = action(
  {
    name: 'end_session',
    who: mayUseAccount,
    limit: often,
    takes: z.object({ sessionId }),
  },
  async ({ input, scope }) => {
    const ended = await end(scope, input.sessionId)
    if (isRefusal(ended)) return ended
    redirect('/account?done=session')
  },
)

export const endOtherSessions = action(
  { name: 'end_other_sessions', who: mayUseAccount, limit: often, takes: z.object({}) },
  async ({ scope }) => {
    const ended = await endOthers(scope)
    if (isRefusal(ended)) return ended
    redirect('/account?done=sessions')
  },
)

export const unlinkAccount = action(
  {
    name: 'unlink_account',
    who: mayUseAccount,
    limit: often,
    takes: z.object({ provider: providerField }),
  },
  async ({ input, scope }) => {
    const unlinked = await unlink(scope, input.provider)
    if (isRefusal(unlinked)) return unlinked
    redirect('/account?done=unlinked')
  },
)

export const deleteAccount = action(
  {
    name: 'delete_account',
    who: mayUseAccount,
    limit: seldom,
    takes: z.object({
      confirmation: confirmationField,
      currentPassword: currentPasswordField.optional(),
    }),
    keeps: ['confirmation'],
  },
  async ({ input: { confirmation, currentPassword }, scope }) => {
    const deleted = await unlessTooBusy(() => remove(scope, { confirmation, currentPassword }))
    if (isRefusal(deleted)) return deleted
    if ('outcome' in deleted) return refuse('rate_limited')
    if (!scope.bearer) await forgetSession()
    redirect('/account/deleted')
  },
)

async function mailLink(scope: SignedInScope) {
  const allowance = await askToResetPassword(scope, scope.session.user.email)
  if (!allowance.allowed) return askedTooOften(allowance)
  return redirect('/account?done=link')
}
