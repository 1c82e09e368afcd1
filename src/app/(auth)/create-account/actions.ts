'use server'

import { redirect } from 'next/navigation'
import { z } from 'zod'
import { nameField, newPasswordField } from '@/core/auth/accounts/fields'
import { finishSignUp } from '@/core/auth/accounts/sign-up'
import { reserveHash } from '@/core/auth/passwords/hash'
import { finishSignIn } from '@/core/auth/sessions/next-session'
import { action } from '@/core/guard/action'
import { anyone } from '@/core/guard/policy'
import { refuse } from '@/core/ui/action-result'
import { callbackUrlField } from '../callback-url'

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
