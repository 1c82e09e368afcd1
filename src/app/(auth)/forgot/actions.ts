'use server'

import { z } from 'zod'
import { emailField } from '@/core/auth/accounts/fields'
import { requestResetMail } from '@/core/auth/accounts/reset-password'
import { action } from '@/core/guard/action'
import { mailRateLimited } from '@/core/guard/authorize'
import { anyone } from '@/core/guard/policy'
import { callbackUrlField, safeOrUndefined } from '../callback-url'

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
