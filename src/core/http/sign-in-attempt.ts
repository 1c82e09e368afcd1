import { z } from 'zod'
import { normaliseEmail } from '@/core/auth/email'
import { isTooManyHashes } from '@/core/auth/hashing-queue'
import { admit } from '@/core/auth/password'
import type { NewSession } from '@/core/auth/sessions'
import { signInWithPassword } from '@/core/auth/sign-in'
import type { ApiContext } from '@/core/http/context'
import { scopeOf } from '@/core/http/identify'
import { Problem, tooMany } from '@/core/http/problem'
import { tryPassword } from '@/core/limits/failures'

/** As typed: what is wrong with them is not for a sign-in to tell. */
export const credentials = z.object({
  email: z.string().min(1, 'Enter your e-mail address.').max(1000),
  password: z.string().min(1, 'Enter your password.').max(1000),
})

/** One try, counted against its limits, for every way in that takes a password. */
export function attemptSignIn(
  c: ApiContext,
  typed: z.output<typeof credentials>,
): Promise<NewSession> {
  return admit(() => attempt(c, typed)).catch(tellTooBusy)
}

async function attempt(
  c: ApiContext,
  { email, password }: z.output<typeof credentials>,
): Promise<NewSession> {
  const scope = await scopeOf(c)
  const account = normaliseEmail(email)
  const typed = { email: account, password }
  const userAgent = c.req.header('user-agent')
  const tried = await tryPassword(scope.address, account, () =>
    signInWithPassword(scope, typed, userAgent),
  )
  if (tried.refused) throw tooMany(tried.refused)
  if (!tried.result) throw new Problem('invalid_credentials')
  c.set('userId', tried.result.session.user.id)
  return tried.result
}

function tellTooBusy(error: unknown): never {
  throw isTooManyHashes(error) ? tooBusy() : error
}

function tooBusy(): Problem {
  return new Problem('rate_limited', { headers: { 'retry-after': '1' } })
}
