'use server'

import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { z } from 'zod'
import { nameField, newPasswordField } from '@/core/auth/accounts/fields'
import { requestResetMail } from '@/core/auth/accounts/reset-password'
import { unlessBusy } from '@/core/auth/passwords/busy'
import {
  clearActionSessionCookie,
  setActionSessionCookie,
} from '@/core/auth/sessions/action-cookie'
import { action } from '@/core/guard/action'
import type { SignedInScope } from '@/core/guard/policy'
import { mailRateLimited } from '@/core/guard/rate-limited'
import { isActionError, refuse } from '@/core/ui/action-result'
import { changePassword as change } from './data/change-password'
import { deleteAccount as remove } from './data/delete-account'
import { revokeSession as revoke, revokeOtherSessions as revokeOthers } from './data/sessions'
import { unlinkAccount as unlink } from './data/sign-in-methods'
import { updateProfile as update } from './data/update-profile'
import { confirmationField, currentPasswordField, providerField, sessionId } from './fields'
import { mayUseAccount } from './policy'

const defaultLimit = { times: 60, seconds: 60 }

/** For actions that hash a password or send mail. */
const costlyLimit = { times: 30, seconds: 600 }

export const updateProfile = action(
  {
    name: 'update_profile',
    authorize: mayUseAccount,
    rateLimit: defaultLimit,
    input: z.object({ name: nameField }),
    keeps: ['name'],
  },
  async ({ input, scope }) => {
    const updated = await update(scope, input)
    if (isActionError(updated)) return updated
    redirect('/account?done=profile_updated')
  },
)

/** A bearer client has no cookie, so it receives the new session token in `data.token`. */
export const changePassword = action(
  {
    name: 'change_password',
    authorize: mayUseAccount,
    rateLimit: costlyLimit,
    input: z.object({ currentPassword: currentPasswordField, newPassword: newPasswordField }),
  },
  async ({ input, scope }) => {
    const userAgent = (await headers()).get('user-agent') ?? undefined
    const changed = await unlessBusy(() => change(scope, input, userAgent))
    if (changed === 'no_password') return sendLink(scope)
    if (isActionError(changed)) return changed
    if ('outcome' in changed) return refuse('rate_limited')
    if (scope.bearer) return { token: changed.token }
    await setActionSessionCookie(changed)
    return redirect('/account?done=password_changed')
  },
)

/** Lets a user without a password set one. Access to the mailbox proves ownership of the account. */
export const sendPasswordLink = action(
  {
    name: 'send_password_link',
    authorize: mayUseAccount,
    rateLimit: costlyLimit,
    input: z.object({ purpose: z.literal('set_password') }),
  },
  async ({ scope }) => sendLink(scope),
)

export const revokeSession = action(
  {
    name: 'revoke_session',
    authorize: mayUseAccount,
    rateLimit: defaultLimit,
    input: z.object({ sessionId }),
  },
  async ({ input, scope }) => {
    const revoked = await revoke(scope, input.sessionId)
    if (isActionError(revoked)) return revoked
    redirect('/account?done=session_revoked')
  },
)

export const revokeOtherSessions = action(
  {
    name: 'revoke_other_sessions',
    authorize: mayUseAccount,
    rateLimit: defaultLimit,
    input: z.object({}),
  },
  async ({ scope }) => {
    const revoked = await revokeOthers(scope)
    if (isActionError(revoked)) return revoked
    redirect('/account?done=sessions_revoked')
  },
)

export const unlinkAccount = action(
  {
    name: 'unlink_account',
    authorize: mayUseAccount,
    rateLimit: defaultLimit,
    input: z.object({ provider: providerField }),
  },
  async ({ input, scope }) => {
    const unlinked = await unlink(scope, input.provider)
    if (isActionError(unlinked)) return unlinked
    redirect('/account?done=account_unlinked')
  },
)

export const deleteAccount = action(
  {
    name: 'delete_account',
    authorize: mayUseAccount,
    rateLimit: costlyLimit,
    input: z.object({
      confirmation: confirmationField,
      currentPassword: currentPasswordField.optional(),
    }),
    keeps: ['confirmation'],
  },
  async ({ input: { confirmation, currentPassword }, scope }) => {
    const deleted = await unlessBusy(() => remove(scope, { confirmation, currentPassword }))
    if (isActionError(deleted)) return deleted
    if ('outcome' in deleted) return refuse('rate_limited')
    if (!scope.bearer) await clearActionSessionCookie()
    redirect('/account/deleted')
  },
)

async function sendLink(scope: SignedInScope) {
  const result = await requestResetMail(scope, scope.session.user.email)
  if (!result.allowed) return mailRateLimited(result)
  return redirect('/account?done=link_sent')
}
