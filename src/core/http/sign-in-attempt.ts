import { z } from 'zod'
import { normaliseEmail } from '@/core/auth/email'
import { TooManyHashes } from '@/core/auth/hashing-queue'
import type { NewSession } from '@/core/auth/sessions'
import { signInWithPassword } from '@/core/auth/sign-in'
import type { ApiContext } from '@/core/http/context'
import { scopeOf } from '@/core/http/identify'
import { Problem, tooMany } from '@/core/http/problem'
import { countTry, forgetFailures, giveBackTry } from '@/core/limits/failures'

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
  const scope = await scopeOf(c)
  const account = normaliseEmail(email)
  const allowance = await countTry(scope.address, account)
  if (!allowance.allowed) throw tooMany(allowance)
  try {
    const typed = { email: account, password }
    const created = await signInWithPassword(scope, typed, c.req.header('user-agent'))
    if (!created) throw new Problem('invalid_credentials')
    await forgetFailures(scope.address, account)
    c.set('userId', created.session.user.id)
    return created
  } catch (error) {
    if (error instanceof Problem) throw error
    await giveBackTry(scope.address, account)
    if (error instanceof TooManyHashes) {
      throw new Problem('rate_limited', { headers: { 'retry-after': '1' } })
    }
    throw error
  }
}
