'use server'

import { z } from 'zod'
import { emailField } from '@/core/auth/fields'
import { askToSignUp } from '@/core/auth/sign-up'
import { env } from '@/core/env'
import { action } from '@/core/guard/action'
import { refuse } from '@/core/guard/action-result'
import { anyone } from '@/core/guard/policy'
import { askedTooOften } from '@/core/guard/too-often'

export const askForAccount = action(
  {
    name: 'ask_sign_up',
    who: anyone,
    limit: { times: 60, seconds: 600 },
    takes: z.object({ email: emailField, again: z.literal('yes').optional() }),
    keeps: ['email'],
  },
  async ({ input: { email, again }, scope }) => {
    if (env().SIGN_UP !== 'open') return refuse('forbidden', 'Accounts cannot be created here.')
    const allowance = await askToSignUp(scope, email)
    if (!allowance.allowed) return askedTooOften(allowance)
    return { email, again: again === 'yes' }
  },
)
