import { deleteCookie, getCookie } from 'hono/cookie'
import { z } from 'zod'
import {
  callbackUrl,
  flag,
  redirectToSignIn,
  signInOptions,
  signInResponse,
  signInResponses,
} from '@/core/api/sign-in'
import { cookieNames, cookieOptions } from '@/core/auth/sessions/cookie'
import { env } from '@/core/config/env'
import { anyone } from '@/core/guard/policy'
import { route } from '@/core/guard/route'
import { prefersHtml } from '@/core/http/headers'
import { formFields } from '@/core/http/input'
import { Problem } from '@/core/http/problems'
import type { ApiContext } from '@/core/http/scope'
import { tooManyRequests } from '@/core/rate-limits/rate-limit'
import { urlWith } from '@/core/ui/url'
import { type Completed, completeSignIn, proveCode } from './factors/complete-sign-in'

const verifySignIn = route(
  {
    method: 'post',
    path: '/auth/signin/verify',
    name: 'verify_sign_in',
    summary: 'Complete a sign-in with a second factor',
    description:
      'Follows a sign-in that responded with `second_factor_required`. A challenge expires after 5 minutes and has 5 tries. A failed browser form is redirected to `/sign-in/verify`.',
    authorize: anyone,
    readsSession: true,
    input: {
      body: z.object({
        challenge: z
          .string()
          .max(100)
          .optional()
          .describe('From the problem. A browser sends it in a cookie instead.'),
        method: z.enum(['totp', 'recovery_code']),
        code: z.string().min(1, 'Enter the code.').max(100),
        rememberBrowser: flag
          .or(z.enum(['on', 'off']).transform((value) => value === 'on'))
          .default(false)
          .describe('Whether this browser needs no second factor for 30 days.'),
        ...signInOptions,
      }),
      forms: true,
      example: { challenge: '…', method: 'totp', code: '123456', redirect: false },
    },
    responses: signInResponses,
    problems: ['invalid_code', 'sign_in_expired', 'rate_limited'],
    onProblem: async (c, problem) => (prefersHtml(c) ? redirectToVerify(c, problem) : undefined),
  },
  async ({ scope, input: { body }, c }) => {
    const { method, code, rememberBrowser, transport } = body
    const completed = await completeSignIn(scope, {
      challenge: body.challenge ?? challengeCookie(c) ?? '',
      method,
      prove: proveCode[method](code),
      // A client with a bearer token has no cookies.
      rememberBrowser: rememberBrowser && transport === 'cookie',
    })
    const created = requireCompleted(completed)
    c.set('userId', created.session.user.id)
    clearChallengeCookie(c)
    return signInResponse(c, created, body)
  },
)

function requireCompleted(completed: Completed) {
  if ('session' in completed) return completed.session
  if ('refused' in completed) throw tooManyRequests(completed.refused)
  throw new Problem(completed.error)
}

function challengeCookie(c: ApiContext): string | undefined {
  return getCookie(c, cookieNames(env().AUTH_URL).challenge)
}

function clearChallengeCookie(c: ApiContext): void {
  deleteCookie(c, cookieNames(env().AUTH_URL).challenge, cookieOptions(env()))
}

const verifyForm = z.object({ callbackUrl, method: z.string().max(20).optional() })

/** Back to the form, or to the start if there is nothing left to try. */
async function redirectToVerify(c: ApiContext, problem: Problem): Promise<Response> {
  const { callbackUrl, method } = verifyForm.safeParse(await formFields(c)).data ?? {}
  if (problem.code === 'sign_in_expired') return redirectToSignIn(c, problem, callbackUrl)
  const error = problem.code
  return c.redirect(urlWith('/sign-in/verify', { error, method, callbackUrl }), 303)
}

export const api = [verifySignIn]
