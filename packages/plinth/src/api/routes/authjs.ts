import { z } from 'zod'
import { createCsrfToken, requireCsrfToken, setSignInCookies } from '#api/cookies'
import {
  callbackUrl,
  credentials,
  problemWithUrl,
  redirectToForm,
  signInOrThrow,
  signInUrl,
  urlResponse,
  wantsJson,
} from '#api/sign-in'
import { configuredProviders } from '#auth/oauth/configured-providers'
import { env } from '#config/env'
import { anyone } from '#guard/policy'
import { route } from '#guard/route'
import { ownOrigin, prefersHtml, safeCallbackUrl } from '#http/headers'
import type { Problem } from '#http/problems'

/** The routes of Auth.js's browser client besides session and sign-out. */

const provider = z.strictObject({
  id: z.string(),
  name: z.string(),
  type: z.enum(['oauth', 'oidc', 'credentials']),
  signinUrl: z.url(),
  callbackUrl: z.url(),
})

const csrf = route(
  {
    method: 'get',
    path: '/auth/csrf',
    name: 'csrf',
    summary: 'Get a CSRF token',
    description: 'Sets a cookie that must accompany the token.',
    authorize: anyone,
    responses: {
      200: { description: 'The token.', body: z.strictObject({ csrfToken: z.string() }) },
    },
  },
  async ({ c }) => ({ csrfToken: await createCsrfToken(c) }),
)

const providerList = route(
  {
    method: 'get',
    path: '/auth/providers',
    name: 'providers',
    summary: 'List the sign-in providers',
    authorize: anyone,
    responses: {
      200: { description: 'The providers by id.', body: z.record(z.string(), provider) },
    },
  },
  ({ c }) => {
    const base = `${ownOrigin(c)}/api/auth`
    const providers = [...configuredProviders(env()), password].map(({ id, name, type }) => [
      id,
      { id, name, type, signinUrl: `${base}/signin/${id}`, callbackUrl: `${base}/callback/${id}` },
    ])
    return Object.fromEntries(providers)
  },
)

const password = { id: 'credentials', name: 'Credentials', type: 'credentials' as const }

const signInPageRoute = route(
  {
    method: 'get',
    path: '/auth/signin',
    name: 'sign_in_page',
    summary: 'Redirect to the sign-in page',
    authorize: anyone,
    input: { query: z.object({ callbackUrl }) },
    responses: {
      303: { description: 'Redirects to `/sign-in`.', headers: { Location: 'The URL.' } },
    },
  },
  ({ input: { query }, c }) =>
    c.redirect(signInUrl({}, safeCallbackUrl(query.callbackUrl, ownOrigin(c))), 303),
)

const credentialsCallback = route(
  {
    method: 'post',
    path: '/auth/callback/credentials',
    name: 'callback_credentials',
    summary: 'Sign in with a password (Auth.js client)',
    description: 'Same as `/auth/signin`, with the same limits, and requires the CSRF token.',
    authorize: anyone,
    input: {
      body: credentials.extend({ csrfToken: z.string().max(1000).default(''), callbackUrl }),
      forms: true,
      example: { csrfToken: '…', email: 'viewer@example.com', password: 'plinth-demo-1' },
    },
    responses: {
      200: {
        description: 'The URL to go to, with `X-Auth-Return-Redirect: 1`.',
        body: urlResponse,
      },
      303: {
        description: 'Redirects to `callbackUrl`, or back to the form.',
        headers: { Location: 'The URL.' },
      },
    },
    problems: [
      'csrf_mismatch',
      'invalid_credentials',
      'rate_limited',
      'second_factor_required',
      'account_frozen',
    ],
    async onProblem(c, problem) {
      if (wantsJson(c)) return problemWithUrl(c, problem, clientError(problem))
      return prefersHtml(c) ? redirectToForm(c, problem) : undefined
    },
  },
  async ({ input: { body }, c }) => {
    await requireCsrfToken(c, body.csrfToken)
    setSignInCookies(c, await signInOrThrow(c, body))
    const origin = ownOrigin(c)
    const path = safeCallbackUrl(body.callbackUrl, origin)
    return wantsJson(c) ? { url: `${origin}${path}` } : c.redirect(path, 303)
  },
)

/** Auth.js's names: one error for passwords, with the code to tell them apart. */
function clientError({ code }: Problem): Record<string, string> {
  if (code === 'csrf_mismatch') return { error: 'MissingCSRF' }
  const invalid = code === 'invalid_credentials' || code === 'validation_failed'
  return { error: 'CredentialsSignin', code: invalid ? 'credentials' : code }
}

export const authJsRoutes = [csrf, providerList, signInPageRoute, credentialsCallback]
