'use server'

import { redirect } from 'next/navigation'
import { requestMail } from 'plinth/auth/accounts/account-mail'
import { emailField } from 'plinth/auth/accounts/fields'
import { hashToken, newToken } from 'plinth/auth/sessions/cookie'
import { finishSignIn } from 'plinth/auth/sessions/next-session'
import { action } from 'plinth/guard/action'
import { setFlash } from 'plinth/guard/mutation'
import { anyone } from 'plinth/guard/policy'
import { mailRateLimited } from 'plinth/guard/rate-limited'
import { refuse } from 'plinth/universal/action-result'
import { urlWith } from 'plinth/universal/url'
import { z } from 'zod'
import { signInWithCode, signInWithToken } from '../../data/sign-in-links'
import { codeField } from '../../fields'
import { currentRequest, forgetRequest, rememberRequest } from './browser-cookie'
import { callbackUrlField, safeCallback } from './callback-url'
import { hasSignInLinks } from './setting'

/** The same response for every email: whether it has an account is looked up when mail is sent. */
export const requestSignInLink = action(
  {
    name: 'request_sign_in_link',
    authorize: anyone,
    rateLimit: { times: 60, seconds: 600 },
    input: z.object({
      email: emailField,
      again: z.literal('yes').optional(),
      callbackUrl: callbackUrlField,
    }),
    keeps: ['email'],
  },
  async ({ scope, input: { email, again, ...input } }) => {
    if (!hasSignInLinks()) return refuse('not_found')
    const callbackUrl = safeCallback(input.callbackUrl)
    const secret = newToken()
    const browser = hashToken(secret).toString('hex')
    const data = { browser, ...(callbackUrl ? { callbackUrl } : {}) }
    const result = await requestMail(scope, { purpose: 'security.sign_in_link', email, data })
    if (!result.allowed) return mailRateLimited(result)
    await rememberRequest({ secret, email })
    const text = 'Email sent again. Only the newest link and code work.'
    if (again) await setFlash({ text }, scope.session?.user.id)
    return redirect(urlWith('/sign-in/link/code', { callbackUrl }))
  },
)

/** The button on the page that the link opens. */
export const signInWithLink = action(
  {
    name: 'sign_in_with_link',
    authorize: anyone,
    rateLimit: { times: 30, seconds: 600 },
    input: z.object({ token: z.string().max(100), callbackUrl: callbackUrlField }),
  },
  async ({ scope, input: { token, callbackUrl } }) => {
    if (!hasSignInLinks()) return refuse('not_found')
    const signedIn = await signInWithToken(scope, token)
    if (!signedIn) return refuse('conflict', 'This link no longer works. Request a new one.')
    await forgetRequest()
    return redirect(await finishSignIn(signedIn, callbackUrl))
  },
)

/** In the browser that asked for the mail, which may have been read on another device. */
export const signInWithEmailCode = action(
  {
    name: 'sign_in_with_code',
    authorize: anyone,
    rateLimit: { times: 30, seconds: 600 },
    input: z.object({ code: codeField, callbackUrl: callbackUrlField }),
  },
  async ({ scope, input: { code, callbackUrl } }) => {
    if (!hasSignInLinks()) return refuse('not_found')
    const request = await currentRequest()
    const signedIn = await signInWithCode(scope, { secret: request?.secret ?? '', code })
    if (!signedIn) return wrongCode()
    await forgetRequest()
    return redirect(await finishSignIn(signedIn, callbackUrl))
  },
)

/** One text: whether tries are left would reveal that the email has an account. */
function wrongCode() {
  const message =
    'The code is incorrect or no longer works. Check the newest email, or send it again.'
  return refuse('invalid', undefined, [{ field: 'code', message }])
}
