'use server'

import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { z } from 'zod'
import { nameField, newPasswordField } from '@/core/auth/fields'
import { keepSession } from '@/core/auth/keep-session'
import { finishSignUp } from '@/core/auth/sign-up'
import { unlessTooBusy } from '@/core/auth/unless-too-busy'
import { action } from '@/core/guard/action'
import { refuse } from '@/core/guard/action-result'
import { anyone } from '@/core/guard/policy'

export const createAccount = action(
  {
    name: 'sign_up',
    who: anyone,
    limit: { times: 30, seconds: 600 },
    takes: z.object({
      way: z.enum(['verify_email', 'invitation']),
      token: z.string().max(100),
      name: nameField,
      password: newPasswordField,
    }),
    keeps: ['name'],
  },
  async ({ input: { way, ...account }, scope }) => {
    const userAgent = (await headers()).get('user-agent') ?? undefined
    const result = await unlessTooBusy(() => finishSignUp(scope, way, account, userAgent))
    switch (result.outcome) {
      case 'too_busy':
        return refuse('rate_limited')
      case 'too_easy':
        return refuse('invalid', undefined, [{ field: 'password', message: result.message }])
      case 'taken':
        return refuse('conflict', 'This address has an account by now. Sign in instead.')
      case 'dead_link':
        return refuse('conflict', 'This link no longer works. Ask for a new one.')
      case 'done':
        await keepSession(result.created)
        return redirect('/')
    }
  },
)
