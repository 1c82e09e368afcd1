'use server'

import { z } from 'zod'
import { emailField } from '@/core/auth/accounts/fields'
import { requestSignUpMail } from '@/core/auth/accounts/sign-up'
import { env } from '@/core/config/env'
import { action } from '@/core/guard/action'
import { mailRateLimited } from '@/core/guard/authorize'
import { anyone } from '@/core/guard/policy'
import { refuse } from '@/core/ui/action-result'
import { callbackUrlField, safeOrUndefined } from '../callback-url'

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
