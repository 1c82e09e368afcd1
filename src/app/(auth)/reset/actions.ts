'use server'

import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { z } from 'zod'
import { newPasswordField } from '@/core/auth/fields'
import { keepSession } from '@/core/auth/keep-session'
import { resetPassword } from '@/core/auth/reset'
import { unlessTooBusy } from '@/core/auth/unless-too-busy'
import { action } from '@/core/guard/action'
import { refuse } from '@/core/guard/action-result'
import { anyone } from '@/core/guard/policy'

export const chooseNewPassword = action(
  {
    name: 'reset_password',
    who: anyone,
    limit: { times: 30, seconds: 600 },
    takes: z.object({ token: z.string().max(100), password: newPasswordField }),
  },
  async ({ input, scope }) => {
    const userAgent = (await headers()).get('user-agent') ?? undefined
    const result = await unlessTooBusy(() => resetPassword(scope, input, userAgent))
    switch (result.outcome) {
      case 'too_busy':
        return refuse('rate_limited')
      case 'too_easy':
        return refuse('invalid', undefined, [{ field: 'password', message: result.message }])
      case 'dead_link':
        return refuse('conflict', 'This link no longer works. Ask for a new one.')
      case 'done':
        await keepSession(result.created)
        return redirect('/')
    }
  },
)
