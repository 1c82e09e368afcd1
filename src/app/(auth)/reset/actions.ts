'use server'

import { redirect } from 'next/navigation'
import { z } from 'zod'
import { newPasswordField } from '@/core/auth/accounts/fields'
import { resetPasswordWithLink } from '@/core/auth/accounts/reset-password'
import { reserveHash } from '@/core/auth/passwords/hash'
import { finishSignIn } from '@/core/auth/sessions/next-session'
import { action } from '@/core/guard/action'
import { anyone } from '@/core/guard/policy'
import { refuse } from '@/core/ui/action-result'
import { callbackUrlField } from '../callback-url'

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
