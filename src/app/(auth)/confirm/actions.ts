'use server'

import { limitMail } from 'plinth/auth/accounts/account-mail'
import { changes, codeForChange, firstProof } from 'plinth/auth/accounts/change-proofs'
import { consumeMailCode, tryMailCode } from 'plinth/auth/accounts/mail-codes'
import { verifyCurrentPassword } from 'plinth/auth/passwords/current-password'
import { deny } from 'plinth/guard/authorize'
import { findConfirmation, finishProof, storeProof } from 'plinth/guard/change-proof'
import { mutation } from 'plinth/guard/mutation'
import { isSignedIn, type SignedInScope } from 'plinth/guard/policy'
import { mailRateLimited, passwordRateLimited } from 'plinth/guard/rate-limited'
import { wrongPassword } from 'plinth/guard/recent-sign-in'
import { queueMail } from 'plinth/mail/mail'
import { refuse } from 'plinth/universal/action-result'
import { urlWith } from 'plinth/universal/url'
import { z } from 'zod'
import { safeOrUndefined } from '../callback-url'

const guarded = { authorize: isSignedIn, rateLimit: { times: 30, seconds: 600 } }

const requested = { change: z.enum(changes), callbackUrl: z.string().max(2000).optional() }

const ownUser = ({ scope }: { scope: SignedInScope }) => scope.session.user.id

export const proveWithPassword = mutation(
  {
    ...guarded,
    name: 'prove_with_password',
    input: z.object({
      ...requested,
      currentPassword: z.string('Enter your password.').min(1, 'Enter your password.').max(1000),
    }),
    target: ownUser,
    details: ({ input: { change } }) => ({ change }),
    prepare: async ({ scope, input: { currentPassword } }) => {
      const checked = await verifyCurrentPassword(scope, 'prove_with_password', currentPassword)
      if (checked === 'verified') return checked
      if (checked === 'wrong') return wrongPassword('The password is incorrect.')
      if (checked === 'no_password') return wrongPassword('Your account has no password.')
      return passwordRateLimited(checked.refused)
    },
  },
  ({ tx, scope, input }) => storeProof(tx, scope, input, { kind: 'password' }),
  finishProof,
)

/** To the account's own email. */
export const sendChangeCode = mutation(
  {
    ...guarded,
    name: 'send_change_code',
    input: z.object(requested),
    target: ownUser,
    details: ({ input: { change } }) => ({ change }),
    prepare: async ({ scope }) => {
      const { email } = scope.session.user
      const result = await limitMail(scope.ip, { purpose: 'confirm_change', email })
      if (result.allowed) return undefined
      await deny(scope, 'send_change_code', 'rate_limited')
      return mailRateLimited(result)
    },
    redirectTo: ({ scope, input: { change, ...input } }) => {
      const callbackUrl = safeOrUndefined(input.callbackUrl)
      const query = { change, callbackUrl, with: 'recovery_code', sent: 'yes' }
      return scope.bearer ? undefined : urlWith('/confirm', query)
    },
  },
  async ({ tx, scope, input: { change }, notify }) => {
    const { id: sessionId, user } = scope.session
    const { means } = await findConfirmation(scope, change, tx)
    if (!firstProof(means).includes('mail_code')) {
      return refuse('conflict', 'Your account has a password. Enter it instead.')
    }
    await queueMail(tx, {
      purpose: 'confirm_change',
      email: user.email,
      data: { sessionId, change },
    })
    notify(`Code sent to ${user.email}.`)
    return { sent: true }
  },
)

export const proveWithMailCode = mutation(
  {
    ...guarded,
    name: 'prove_with_mail_code',
    input: z.object({
      ...requested,
      code: z.string('Enter the code.').trim().min(1, 'Enter the code.').max(20),
    }),
    target: ownUser,
    details: ({ input: { change } }) => ({ change }),
    prepare: async ({ scope, input: { change, code } }) => ({
      codeHash: await tryMailCode(codeForChange(scope.session, change), code),
    }),
  },
  async ({ tx, scope, input, prepared: { codeHash } }) => {
    const code = codeForChange(scope.session, input.change)
    if (!codeHash || !(await consumeMailCode(tx, code, codeHash))) return wrongCode()
    return storeProof(tx, scope, input, { kind: 'mail_code' })
  },
  finishProof,
)

function wrongCode() {
  const message =
    'The code is incorrect or no longer works. Check the newest email, or send it again.'
  return refuse('invalid', undefined, [{ field: 'code', message }])
}
