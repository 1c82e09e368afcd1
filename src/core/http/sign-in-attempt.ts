import { z } from 'zod'
import { normaliseEmail } from '@/core/auth/email'
import { TooManyHashes } from '@/core/auth/hashing-queue'
import { isTooBusy } from '@/core/auth/password'
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
export async function attemptSignIn(
  c: ApiContext,
  { email, password }: z.output<typeof credentials>,
): Promise<NewSession> {
  // Before anything is asked of the database: what is too much for the one must not be for the other.
  if (isTooBusy()) throw tooBusy()
  const scope = await scopeOf(c)
  const account = normaliseEmail(email)
  const typed = { email: account, password }
  const userAgent = c.req.header('user-agent')
  const tried = await tryPassword(scope.address, account, () =>
    signInWithPassword(scope, typed, userAgent),
  ).catch(tellTooBusy)
  if (tried.refused) throw tooMany(tried.refused)
  if (!tried.result) throw new Problem('invalid_credentials')
  c.set('userId', tried.result.session.user.id)
  return tried.result
}

function tellTooBusy(error: unknown): never {
  throw error instanceof TooManyHashes ? tooBusy() : error
}

function tooBusy(): Problem {
  return new Problem('rate_limited', { headers: { 'retry-after': '1' } })
}
