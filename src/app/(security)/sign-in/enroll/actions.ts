'use server'

import { cookies } from 'next/headers'
import { cookieNames } from 'plinth/auth/sessions/cookie'
import { setActionSessionCookie } from 'plinth/auth/sessions/next-session'
import { env } from 'plinth/config/env'
import { action } from 'plinth/guard/action'
import { anyone } from 'plinth/guard/policy'
import { actionRateLimited } from 'plinth/guard/rate-limited'
import { changeSignIn } from 'plinth/recovery/changes'
import { refuse } from 'plinth/universal/action-result'
import { z } from 'zod'
import { confirmApp } from '../../data/factors/authenticator-app'
import { mailboxUnproved, mayEnroll } from '../../data/factors/challenges'
import { completeSignIn } from '../../data/factors/complete-sign-in'
import { createCodesIfNone, findFactors, isProtected } from '../../data/factors/factors'
import { codeField } from '../../fields'
import { currentChallenge } from '../../sign-in-step'

/** Adds the app and completes the sign-in. Returns the recovery codes, which are shown once. */
export const enrollAuthenticatorApp = action(
  {
    name: 'enroll_authenticator_app',
    authorize: anyone,
    rateLimit: { times: 30, seconds: 600 },
    input: z.object({ code: codeField }),
  },
  async ({ scope, input: { code } }) => {
    const challenge = await currentChallenge()
    if (challenge && !mayEnroll(challenge)) return refuse('conflict', mailboxUnproved)
    let codes: string[] = []
    const completed = await completeSignIn(scope, {
      challenge: challenge?.token ?? '',
      method: 'totp',
      prove: async (transaction, user) => {
        // The password of a user with a factor must not be enough to add another one.
        if (isProtected(await findFactors(user.id, transaction))) return false
        const setup = { userId: user.id, preparedFor: challenge?.id ?? '' }
        return changeSignIn(transaction, { userId: user.id }, async () => {
          if (!(await confirmApp(transaction, setup, code))) return false
          codes = (await createCodesIfNone(transaction, user.id)) ?? []
          return true
        })
      },
      rememberBrowser: false,
    })
    if ('refused' in completed) return actionRateLimited(completed.refused)
    if ('error' in completed) return explain(completed.error)
    await setActionSessionCookie(completed.session)
    ;(await cookies()).delete(cookieNames(env().AUTH_URL).challenge)
    return { codes }
  },
)

function explain(error: 'invalid_code' | 'sign_in_expired') {
  if (error === 'sign_in_expired') {
    return refuse('conflict', 'This sign-in took too long. Sign in again.')
  }
  const message = 'The code is incorrect. Check that the clock of your phone is right.'
  return refuse('invalid', undefined, [{ field: 'code', message }])
}
