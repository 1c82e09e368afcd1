'use server'

import { redirect } from 'next/navigation'
import { z } from 'zod'
import { secureAccount as secureAccountWithLink } from '@/core/auth/accounts/linked-accounts'
import { action } from '@/core/guard/action'
import { anyone } from '@/core/guard/policy'
import { refuse } from '@/core/ui/action-result'

export const secureAccount = action(
  {
    name: 'secure_account',
    authorize: anyone,
    rateLimit: { times: 30, seconds: 600 },
    input: z.object({ token: z.string().max(100), provider: z.string().max(100) }),
  },
  async ({ input, scope }) => {
    const token = await secureAccountWithLink(scope, input)
    if (!token) return refuse('conflict', 'This link no longer works. Reset your password instead.')
    return redirect(`/reset?${new URLSearchParams({ token })}`)
  },
)
