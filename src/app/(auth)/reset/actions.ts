'use server'

import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { z } from 'zod'
import { newPasswordField } from '@/core/auth/accounts/fields'
import { resetPasswordWithLink } from '@/core/auth/accounts/reset-password'
import { unlessBusy } from '@/core/auth/passwords/busy'
import { setActionSessionCookie } from '@/core/auth/sessions/action-cookie'
import { action } from '@/core/guard/action'
import { anyone } from '@/core/guard/policy'
import { refuse } from '@/core/ui/action-result'

export const resetPassword = action(
  {
    name: 'reset_password',
    authorize: anyone,
    rateLimit: { times: 30, seconds: 600 },
    input: z.object({ token: z.string().max(100), password: newPasswordField }),
  },
  async ({ input, scope }) => {
    const userAgent = (await headers()).get('user-agent') ?? undefined
    const result = await unlessBusy(() => resetPasswordWithLink(scope, input, userAgent))
    switch (result.outcome) {
      case 'too_busy':
        return refuse('rate_limited')
      case 'weak_password':
        return refuse('invalid', undefined, [{ field: 'password', message: result.message }])
      case 'invalid_link':
        return refuse('conflict', 'This link no longer works. Request a new one.')
      case 'done':
        await setActionSessionCookie(result.created)
        return redirect('/')
    }
  },
)
