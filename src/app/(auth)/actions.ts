'use server'

import { redirect } from 'next/navigation'
import { emailField, nameField, newPasswordField } from 'plinth/auth/accounts/fields'
import {
  finishSignUp,
  requestResetMail,
  requestSignUpMail,
  resetPasswordWithLink,
} from 'plinth/auth/accounts/sign-up'
import { verifyCurrentPassword } from 'plinth/auth/passwords/current-password'
import { reserveHash } from 'plinth/auth/passwords/hash'
import { finishSignIn } from 'plinth/auth/sessions/next-session'
import { replaceSession } from 'plinth/auth/sessions/session'
import { findPendingStep, isPending } from 'plinth/auth/sessions/steps'
import { env } from 'plinth/config/env'
import { action } from 'plinth/guard/action'
import { mutation } from 'plinth/guard/mutation'
import { anyone, isSignedIn } from 'plinth/guard/policy'
import { mailRateLimited, passwordRateLimited } from 'plinth/guard/rate-limited'
import { wrongPassword } from 'plinth/guard/recent-sign-in'
import { refuse } from 'plinth/universal/action-result'
import { z } from 'zod'
import { callbackUrlField, safeOrUndefined } from './callback-url'

export const requestPasswordReset = action(
  {
    name: 'request_reset_password',
    authorize: anyone,
    rateLimit: { times: 60, seconds: 600 },
    input: z.object({
      email: emailField,
      again: z.literal('yes').optional(),
      callbackUrl: callbackUrlField,
    }),
    keeps: ['email'],
  },
  async ({ input: { email, again, callbackUrl }, scope }) => {
    const result = await requestResetMail(scope, email, safeOrUndefined(callbackUrl))
    if (!result.allowed) return mailRateLimited(result)
    return { email, again: again === 'yes' }
  },
)

export const requestSignUp = action(
  {
    name: 'request_sign_up',
    authorize: anyone,
    rateLimit: { times: 60, seconds: 600 },
    input: z.object({
      email: emailField,
      again: z.literal('yes').optional(),
      callbackUrl: callbackUrlField,
    }),
    keeps: ['email'],
  },
  async ({ input: { email, again, callbackUrl }, scope }) => {
    if (env().SIGN_UP !== 'open') return refuse('forbidden', 'Sign-up is closed.')
    const result = await requestSignUpMail(scope, email, safeOrUndefined(callbackUrl))
    if (!result.allowed) return mailRateLimited(result)
    return { email, again: again === 'yes' }
  },
)

export const resetPassword = action(
  {
    name: 'reset_password',
    authorize: anyone,
    rateLimit: { times: 30, seconds: 600 },
    input: z.object({
      token: z.string().max(100),
      password: newPasswordField,
      callbackUrl: callbackUrlField,
      keep: z.array(z.string().max(100)).max(100).default([]),
    }),
  },
  async ({ input, scope }) => {
    const result = await reserveHash(scope, () => resetPasswordWithLink(scope, input))
    switch (result.outcome) {
      case 'weak_password':
        return refuse('invalid', undefined, [{ field: 'password', message: result.message }])
      case 'invalid_link':
        return refuse('conflict', 'This link no longer works. Request a new one.')
      case 'done':
        return redirect(await finishSignIn(result.signedIn, input.callbackUrl))
    }
  },
)

export const createAccount = action(
  {
    name: 'sign_up',
    authorize: anyone,
    rateLimit: { times: 30, seconds: 600 },
    input: z.object({
      purpose: z.enum(['verify_email', 'invitation']),
      token: z.string().max(100),
      name: nameField,
      password: newPasswordField,
      callbackUrl: callbackUrlField,
    }),
    keeps: ['name'],
  },
  async ({ input: { purpose, callbackUrl, ...account }, scope }) => {
    const result = await reserveHash(scope, () => finishSignUp(scope, purpose, account))
    switch (result.outcome) {
      case 'weak_password':
        return refuse('invalid', undefined, [{ field: 'password', message: result.message }])
      case 'email_taken':
        return refuse('conflict', 'This email already has an account. Sign in instead.')
      case 'invalid_link':
        return refuse('conflict', 'This link no longer works. Request a new one.')
      case 'done':
        return redirect(await finishSignIn(result.signedIn, callbackUrl))
    }
  },
)

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
  async ({ tx, scope, input: { callbackUrl }, addDetails }) => {
    const { user } = scope.session
    const pending = await findPendingStep(tx, scope, { user, by: 'password' })
    if (pending) addDetails({ second_factor: 'required' })
    const signedIn = pending ?? (await replaceSession(tx, scope, user, { by: 'password' }))
    return { signedIn, callbackUrl }
  },
  async ({ result: { signedIn, callbackUrl }, scope }) => {
    if (!scope.bearer) redirect(await finishSignIn(signedIn, callbackUrl))
    return isPending(signedIn) ? signedIn : { token: signedIn.token }
  },
)
