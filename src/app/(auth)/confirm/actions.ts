'use server'

import { redirect } from 'next/navigation'
import { z } from 'zod'
import { verifyCurrentPassword } from '@/core/auth/passwords/user-password'
import { finishSignIn } from '@/core/auth/sessions/next-session'
import { replaceSession } from '@/core/auth/sessions/session'
import { findPendingStep, isPending } from '@/core/auth/sessions/steps'
import { passwordRateLimited, wrongPassword } from '@/core/guard/authorize'
import { mutation } from '@/core/guard/mutation'
import { isSignedIn } from '@/core/guard/policy'

/**
 * Like a sign-in, it creates a new token and ends the session of the old one: a thief who holds the
 * old token must not gain by it.
 */
export const confirmIdentity = mutation(
  {
    name: 'confirm_identity',
    authorize: isSignedIn,
    rateLimit: { times: 30, seconds: 600 },
    input: z.object({
      currentPassword: z.string('Enter your password.').min(1, 'Enter your password.').max(1000),
      callbackUrl: z.string().max(2000).optional(),
    }),
    target: ({ scope }) => scope.session.user.id,
    details: () => ({ by: 'password' }),
    prepare: async ({ scope, input: { currentPassword } }) => {
      const checked = await verifyCurrentPassword(scope, 'confirm_identity', currentPassword)
      if (checked === 'verified') return checked
      if (checked === 'wrong') return wrongPassword('The password is incorrect.')
      if (checked === 'no_password') return wrongPassword('Your account has no password.')
      return passwordRateLimited(checked.refused)
    },
  },
  async ({ tx, scope, input: { callbackUrl } }) => {
    const { user } = scope.session
    const pending = await findPendingStep(tx, scope, { user, by: 'password' })
    const signedIn = pending ?? (await replaceSession(tx, scope, user, { by: 'password' }))
    return { signedIn, callbackUrl }
  },
  async ({ result: { signedIn, callbackUrl }, scope }) => {
    if (!scope.bearer) redirect(await finishSignIn(signedIn, callbackUrl))
    return isPending(signedIn) ? signedIn : { token: signedIn.token }
  },
)
