import { z } from 'zod'
import { normalizeEmail } from '@/core/auth/accounts/email'
import { reserveHash } from '@/core/auth/passwords/hash'
import { isHashingQueueFull } from '@/core/auth/passwords/queue'
import { signInWithPassword } from '@/core/auth/passwords/sign-in'
import { anonymousScope, apiScope } from '@/core/auth/sessions/api-scope'
import type { NewSession } from '@/core/auth/sessions/session'
import { Problem } from '@/core/http/problems'
import type { ApiContext } from '@/core/http/scope'
import { attemptPassword } from '@/core/rate-limits/password-attempts'
import { tooBusy, tooManyRequests } from '@/core/rate-limits/rate-limit'

/** Unvalidated: a sign-in must not reveal the rules for emails and passwords. */
export const credentials = z.object({
  email: z.string().min(1, 'Enter your email.').max(1000),
  password: z.string().min(1, 'Enter your password.').max(1000),
})

/** One rate-limited attempt, for every route that takes a password. */
export function signInOrThrow(
  c: ApiContext,
  typed: z.output<typeof credentials>,
): Promise<NewSession> {
  return reserveHash(anonymousScope(c), () => attempt(c, typed)).catch((error) => {
    throw isHashingQueueFull(error) ? tooBusy() : error
  })
}

async function attempt(
  c: ApiContext,
  { email, password }: z.output<typeof credentials>,
): Promise<NewSession> {
  const scope = await apiScope(c)
  const account = normalizeEmail(email)
  const attempted = await attemptPassword(scope, account, () =>
    signInWithPassword(scope, { email: account, password }),
  )
  if (attempted.refused) throw tooManyRequests(attempted.refused)
  if (!attempted.result) throw new Problem('invalid_credentials')
  c.set('userId', attempted.result.session.user.id)
  return attempted.result
}
