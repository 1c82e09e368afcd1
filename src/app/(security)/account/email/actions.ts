'use server'

import { limitMail } from 'plinth/auth/accounts/account-mail'
import { setEmail } from 'plinth/auth/accounts/email-owner'
import { emailFieldWith } from 'plinth/auth/accounts/fields'
import { deleteUserLinks } from 'plinth/auth/accounts/links'
import { setActionSessionCookie } from 'plinth/auth/sessions/next-session'
import { createSession, revokeUserSessions } from 'plinth/auth/sessions/session'
import { mutation } from 'plinth/guard/mutation'
import type { SignedInScope } from 'plinth/guard/policy'
import { mailRateLimited } from 'plinth/guard/rate-limited'
import { refuse } from 'plinth/universal/action-result'
import { z } from 'zod'
import { confirmEmailMail } from '../../data/email-change-mail'
import { consumeEmailChange, deleteEmailChange, storeEmailChange } from '../../data/email-changes'
import { mayUseSecurity } from '../../policy'

const ownUser = ({ scope }: { scope: SignedInScope }) => scope.session.user.id

/**
 * Changes nothing until the link at the new email is used. Whether that email has an account is
 * looked up when the mail is sent, so neither the response nor its time reveals it.
 */
export const requestEmailChange = mutation(
  {
    name: 'request_email_change',
    authorize: mayUseSecurity,
    rateLimit: { times: 30, seconds: 600 },
    recentSignIn: true,
    input: z.object({ email: emailFieldWith('Enter your new email.') }),
    keeps: ['email'],
    target: ownUser,
    prepare: async ({ scope, input: { email } }) => {
      if (email === scope.session.user.email) return ownEmail()
      const result = await limitMail(scope.ip, { purpose: 'security.confirm_email', email })
      return result.allowed ? undefined : mailRateLimited(result)
    },
    redirectTo: '/account/email',
  },
  async ({ tx, scope, input: { email }, newId, notify }) => {
    await storeEmailChange(tx, { id: newId, userId: scope.session.user.id, email })
    await confirmEmailMail.queue(tx, { email, data: { changeId: newId } })
    notify(`We sent an email to ${email}. Use the link in it to confirm the change.`)
    return { email }
  },
)

function ownEmail() {
  const message = 'This is already your email.'
  return refuse('invalid', undefined, [{ field: 'email', message }])
}

export const cancelEmailChange = mutation(
  {
    name: 'cancel_email_change',
    authorize: mayUseSecurity,
    rateLimit: { times: 60, seconds: 60 },
    input: z.object({}),
    target: ownUser,
    redirectTo: '/account/email',
  },
  async ({ tx, scope, notify }) => {
    if (!(await deleteEmailChange(tx, scope.session.user.id))) {
      return refuse('conflict', 'There is no change to cancel.')
    }
    notify('Change of email canceled.')
    return undefined
  },
)

/**
 * The link proves the new email, the session proves the user who asked. One transaction changes the
 * email, revokes every session and creates a new one. A bearer client receives the token.
 */
export const confirmEmailChange = mutation(
  {
    changesSignIn: true,
    name: 'change_email',
    authorize: mayUseSecurity,
    rateLimit: { times: 30, seconds: 600 },
    input: z.object({ token: z.string().max(100) }),
    target: ownUser,
    redirectTo: ({ scope }) => (scope.bearer ? undefined : '/account/email'),
  },
  async ({ tx, scope, input: { token }, notify }) => {
    const { user, authenticatedBy: by, authenticatedAt: at } = scope.session
    const email = await consumeEmailChange(tx, user.id, token)
    if (email === undefined || !(await setEmail(tx, user.id, email))) {
      return refuse('conflict', 'This link no longer works. Request the change again.')
    }
    await revokeUserSessions(tx, user.id)
    await deleteUserLinks(tx, user.id)
    notify(`Your email is now ${email}. You were signed out on your other devices.`)
    return createSession(tx, { ...user, email }, scope, { by, at })
  },
  async ({ result, scope }) => {
    if (!scope.bearer) await setActionSessionCookie(result)
    return { token: result.token }
  },
)
