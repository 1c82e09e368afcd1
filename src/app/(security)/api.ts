import { deleteCookie, getCookie } from 'hono/cookie'
import {
  callbackUrl,
  flag,
  redirectToSignIn,
  signInOptions,
  signInResponse,
  signInResponses,
} from 'plinth/api/sign-in'
import { cookieNames, cookieOptions } from 'plinth/auth/sessions/cookie'
import { env } from 'plinth/config/env'
import { anyone } from 'plinth/guard/policy'
import { route } from 'plinth/guard/route'
import type { ApiContext } from 'plinth/http/api-context'
import { prefersHtml } from 'plinth/http/headers'
import { formFields } from 'plinth/http/input'
import { Problem } from 'plinth/http/problems'
import { tooManyRequests } from 'plinth/rate-limits/rate-limit'
import { urlWith } from 'plinth/universal/url'
import { z } from 'zod'
import {
  type Completed,
  completeSignIn,
  type ProveFactor,
  proveCode,
} from './data/factors/complete-sign-in'
import { type Method, methods } from './data/factors/factors'
import { provePasskey } from './data/factors/passkey-sign-in'
import { signInCredential } from './fields'
import { passkeyRoutes } from './passkey-api'

const verifyBody = z
  .object({
    challenge: z
      .string()
      .max(100)
      .optional()
      .describe('From the problem. A browser sends it in a cookie instead.'),
    method: z.enum(methods),
    code: z.string().min(1, 'Enter the code.').max(100).optional(),
    credential: signInCredential
      .optional()
      .describe('With `passkey`, instead of a code: the response of the browser.'),
    rememberBrowser: flag
      .or(z.enum(['on', 'off']).transform((value) => value === 'on'))
      .default(false)
      .describe('Whether this browser needs no second factor for 30 days.'),
    ...signInOptions,
  })
  .refine(({ method, credential }) => method !== 'passkey' || credential !== undefined, {
    path: ['credential'],
    error: 'Send the response of the browser.',
  })
  .refine(({ method, code }) => method === 'passkey' || code !== undefined, {
    path: ['code'],
    error: 'Enter the code.',
  })

const verifySignIn = route(
  {
    method: 'post',
    path: '/auth/signin/verify',
    name: 'verify_sign_in',
    summary: 'Complete a sign-in with a second factor',
    description:
      'Follows a sign-in that responded with `second_factor_required`. A challenge expires after 5 minutes and has 5 tries. A failed browser form is redirected to `/sign-in/verify`.',
    authorize: anyone,
    // For challenges that do not exist: those that do have limits of their own. An office has one IP.
    rateLimit: { times: 120, seconds: 600 },
    readsSession: true,
    input: {
      body: verifyBody,
      forms: true,
      example: { challenge: '…', method: 'totp', code: '123456', redirect: false },
    },
    responses: signInResponses,
    problems: [
      'invalid_code',
      'invalid_passkey',
      'sign_in_expired',
      'rate_limited',
      'account_frozen',
    ],
    onProblem: async (c, problem) => (prefersHtml(c) ? redirectToVerify(c, problem) : undefined),
  },
  async ({ scope, input: { body }, c }) => {
    const { method, rememberBrowser, transport } = body
    const completed = await completeSignIn(scope, {
      challenge: body.challenge ?? challengeCookie(c) ?? '',
      method,
      prove: await proofIn(body),
      // A client with a bearer token has no cookies.
      rememberBrowser: rememberBrowser && transport === 'cookie',
    })
    const created = requireCompleted(completed, method)
    c.set('userId', created.session.user.id)
    clearChallengeCookie(c)
    return signInResponse(c, created, body)
  },
)

async function proofIn(body: z.output<typeof verifyBody>): Promise<ProveFactor> {
  const { method, code = '', credential } = body
  if (method !== 'passkey') return proveCode[method](code)
  return credential ? provePasskey(credential) : async () => false
}

function requireCompleted(completed: Completed, method: Method) {
  if ('session' in completed) return completed.session
  if ('refused' in completed) throw tooManyRequests(completed.refused)
  const isPasskey = method === 'passkey' && completed.error === 'invalid_code'
  throw new Problem(isPasskey ? 'invalid_passkey' : completed.error)
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
  const isOver = problem.code === 'sign_in_expired' || problem.code === 'account_frozen'
  if (isOver) return redirectToSignIn(c, problem, callbackUrl)
  const error = problem.code
  return c.redirect(urlWith('/sign-in/verify', { error, method, callbackUrl }), 303)
}

export const api = [verifySignIn, ...passkeyRoutes]
