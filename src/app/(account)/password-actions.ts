'use server'

import { redirect } from 'next/navigation'
import { newPasswordField } from 'plinth/auth/accounts/fields'
import { deleteUserLinks } from 'plinth/auth/accounts/links'
import { requestResetMail } from 'plinth/auth/accounts/sign-up'
import { hashPassword, reserveHash } from 'plinth/auth/passwords/hash'
import { passwordError } from 'plinth/auth/passwords/new-password'
import { storePassword } from 'plinth/auth/passwords/user-password'
import { setActionSessionCookie } from 'plinth/auth/sessions/next-session'
import { createSession, revokeUserSessions } from 'plinth/auth/sessions/session'
import { action } from 'plinth/guard/action'
import { mutation, setFlash } from 'plinth/guard/mutation'
import type { SignedInScope } from 'plinth/guard/policy'
import { mailRateLimited } from 'plinth/guard/rate-limited'
import { refuse } from 'plinth/universal/action-result'
import { z } from 'zod'
import { currentPasswordField } from './fields'
import { mayUseAccount } from './policy'

/** Each call hashes a password or sends mail. */
const rateLimit = { times: 30, seconds: 600 }

const passwordChange = z.object({
  currentPassword: currentPasswordField,
  newPassword: newPasswordField,
})

/**
 * One transaction stores the password, revokes every session and creates a new one: anyone who knew
 * the old password is signed out, and a leaked session token stops working. A bearer client has no
 * cookie, so it receives the new token in `data.token`.
 */
export const changePassword = mutation(
  {
    changesSignIn: true,
    name: 'change_password',
    authorize: mayUseAccount,
    rateLimit,
    recentSignIn: true,
    input: passwordChange,
    target: ({ scope }) => scope.session.user.id,
    prepare: ({ scope, input, passwordVerified }) =>
      passwordVerified ? hashNewPassword(scope, input) : sendLink(scope),
    redirectTo: ({ scope }) => (scope.bearer ? undefined : '/account/sign-in'),
  },
  async ({ tx, scope, prepared: hash, notify }) => {
    const { user } = scope.session
    await storePassword(tx, user.id, hash)
    await revokeUserSessions(tx, user.id)
    // A reset link sent earlier would let its holder set another password.
    await deleteUserLinks(tx, user.id)
    notify('Password changed. You were signed out on your other devices.')
    return createSession(tx, user, scope, { by: 'password' })
  },
  async ({ result, scope }) => {
    if (!scope.bearer) await setActionSessionCookie(result)
    return { token: result.token }
  },
)

async function hashNewPassword(
  scope: SignedInScope,
  { currentPassword, newPassword }: z.output<typeof passwordChange>,
) {
  const message =
    newPassword === currentPassword
      ? 'The new password must differ from the current one.'
      : await passwordError(newPassword, scope.session.user)
  if (message) return refuse('invalid', undefined, [{ field: 'newPassword', message }])
  return reserveHash(scope, () => hashPassword(newPassword))
}

/** Lets a user without a password set one. Access to the mailbox proves ownership of the account. */
export const sendPasswordLink = action(
  {
    name: 'send_password_link',
    authorize: mayUseAccount,
    rateLimit,
    input: z.object({ purpose: z.literal('set_password') }),
  },
  ({ scope }) => sendLink(scope),
)

async function sendLink(scope: SignedInScope) {
  const { id, email } = scope.session.user
  const result = await requestResetMail(scope, email)
  if (!result.allowed) return mailRateLimited(result)
  const text = `We sent an email to ${email}. Use the link in it to set a password. It expires in one hour.`
  if (!scope.bearer) await setFlash({ text }, id)
  return redirect('/account/sign-in')
}
