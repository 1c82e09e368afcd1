'use server'

import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import { requestMail } from 'plinth/auth/accounts/account-mail'
import { consumeMailCode, tryMailCode } from 'plinth/auth/accounts/mail-codes'
import { cookieNames, cookieOptions } from 'plinth/auth/sessions/cookie'
import { challengeSeconds } from 'plinth/auth/sessions/steps'
import { env } from 'plinth/config/env'
import { database } from 'plinth/db/client'
import { action } from 'plinth/guard/action'
import { anyone } from 'plinth/guard/policy'
import { mailRateLimited } from 'plinth/guard/rate-limited'
import { refuse } from 'plinth/universal/action-result'
import { urlWith } from 'plinth/universal/url'
import { z } from 'zod'
import { codeForEnrollment } from '../../data/enrollment-code'
import { proveMailbox } from '../../data/factors/challenges'
import { recordFailure } from '../../data/factors/complete-sign-in'
import { codeField } from '../../fields'
import { currentChallenge } from '../../sign-in-step'

const callbackUrlField = z.string().max(2000).optional()

/** To the email of the user who has signed in with a provider. */
export const sendEnrollmentCode = action(
  {
    name: 'send_enrollment_code',
    authorize: anyone,
    rateLimit: { times: 30, seconds: 600 },
    input: z.object({ callbackUrl: callbackUrlField }),
  },
  async ({ scope, input: { callbackUrl } }) => {
    const challenge = await currentChallenge()
    if (!challenge) return expired()
    const { email } = challenge.user
    const data = { challenge: challenge.id }
    const result = await requestMail(scope, { purpose: 'security.enrollment_code', email, data })
    if (!result.allowed) return mailRateLimited(result)
    return redirect(urlWith('/sign-in/enroll', { callbackUrl, sent: 'yes' }))
  },
)

export const confirmEnrollmentCode = action(
  {
    name: 'confirm_enrollment_code',
    authorize: anyone,
    rateLimit: { times: 30, seconds: 600 },
    input: z.object({ code: codeField, callbackUrl: callbackUrlField }),
  },
  async ({ scope, input: { code, callbackUrl } }) => {
    const challenge = await currentChallenge()
    if (!challenge) return expired()
    const { id, token, user } = challenge
    const confirms = codeForEnrollment(id, user.email)
    const codeHash = await tryMailCode(confirms, code)
    const isRight =
      codeHash !== undefined &&
      (await database().transaction(
        async (tx) =>
          (await consumeMailCode(tx, confirms, codeHash)) && (await proveMailbox(tx, token)),
      ))
    if (!isRight) {
      await recordFailure(scope, challenge, 'mail_code', 'wrong_code')
      return wrongCode()
    }
    const options = { ...cookieOptions(env()), maxAge: challengeSeconds }
    ;(await cookies()).set(cookieNames(env().AUTH_URL).challenge, token, options)
    return redirect(urlWith('/sign-in/enroll', { callbackUrl }))
  },
)

function expired() {
  return refuse('conflict', 'This sign-in took too long. Sign in again.')
}

function wrongCode() {
  const message =
    'The code is incorrect or no longer works. Check the newest email, or send it again.'
  return refuse('invalid', undefined, [{ field: 'code', message }])
}
