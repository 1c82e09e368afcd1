'use server'

import { z } from 'zod'
import { emailField } from '@/core/auth/fields'
import { askToResetPassword } from '@/core/auth/reset'
import { action } from '@/core/guard/action'
import { anyone } from '@/core/guard/policy'
import { askedTooOften } from '@/core/guard/too-often'

export const askForNewPassword = action(
  {
    name: 'ask_reset_password',
    who: anyone,
    limit: { times: 60, seconds: 600 },
    takes: z.object({ email: emailField, again: z.literal('yes').optional() }),
    keeps: ['email'],
  },
  async ({ input: { email, again }, scope }) => {
    const allowance = await askToResetPassword(scope, email)
    if (!allowance.allowed) return askedTooOften(allowance)
    return { email, again: again === 'yes' }
  },
)
