'use server'

import { cookies } from 'next/headers'
import { cookieNames } from 'plinth/auth/sessions/cookie'
import { setActionSessionCookie } from 'plinth/auth/sessions/next-session'
import { env } from 'plinth/config/env'
import { database } from 'plinth/db/client'
import { action } from 'plinth/guard/action'
import { anyone } from 'plinth/guard/policy'
import { actionRateLimited } from 'plinth/guard/rate-limited'
import { changeSignIn } from 'plinth/recovery/changes'
import { refuse } from 'plinth/universal/action-result'
import { deviceOf } from 'plinth/universal/device'
import { z } from 'zod'
import { mailboxUnproved, mayEnroll } from '../../data/factors/challenges'
import { completeSignIn } from '../../data/factors/complete-sign-in'
import { createCodesIfNone, findFactors, isProtected } from '../../data/factors/factors'
import {
  createRegistrationOptions,
  storePasskey,
  verifyRegistration,
} from '../../data/factors/passkeys'
import { passkeyNameField, registrationCredential } from '../../fields'
import { currentChallenge } from '../../sign-in-step'

const rateLimit = { times: 30, seconds: 600 }

const expired = 'This sign-in took too long. Sign in again.'

/** Returns what the browser needs to create a passkey. */
export const startPasskeyEnrollment = action(
  {
    name: 'start_passkey_enrollment',
    authorize: anyone,
    rateLimit,
    input: z.object({ name: passkeyNameField.optional() }),
  },
  async () => {
    const challenge = await currentChallenge()
    if (!challenge || isProtected(await findFactors(challenge.user.id))) {
      return refuse('conflict', expired)
    }
    if (!mayEnroll(challenge)) return refuse('conflict', mailboxUnproved)
    return createRegistrationOptions(database(), challenge.user)
  },
)

/** Adds the passkey and completes the sign-in. Returns the recovery codes, which are shown once. */
export const enrollPasskey = action(
  {
    name: 'enroll_passkey',
    authorize: anyone,
    rateLimit,
    input: z.object({ credential: registrationCredential, name: passkeyNameField.optional() }),
  },
  async ({ scope, input: { credential, name = deviceOf(scope.userAgent) } }) => {
    const challenge = await currentChallenge()
    if (challenge && !mayEnroll(challenge)) return refuse('conflict', mailboxUnproved)
    const registration = challenge && (await verifyRegistration(challenge.user.id, credential))
    let codes: string[] = []
    const completed = await completeSignIn(scope, {
      challenge: challenge?.token ?? '',
      method: 'passkey',
      prove: async (transaction, user) => {
        // The password of a user with a factor must not be enough to add another one.
        if (isProtected(await findFactors(user.id, transaction))) return false
        if (!registration) return false
        return changeSignIn(transaction, { userId: user.id }, async () => {
          if (!(await storePasskey(transaction, user.id, { ...registration, name }))) return false
          codes = (await createCodesIfNone(transaction, user.id)) ?? []
          return true
        })
      },
      rememberBrowser: false,
    })
    if ('refused' in completed) return actionRateLimited(completed.refused)
    if ('error' in completed) {
      const isExpired = completed.error === 'sign_in_expired'
      return refuse('conflict', isExpired ? expired : 'The passkey was not accepted. Try again.')
    }
    await setActionSessionCookie(completed.session)
    ;(await cookies()).delete(cookieNames(env().AUTH_URL).challenge)
    return { codes }
  },
)
