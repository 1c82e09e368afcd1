import { z } from 'zod'
import { safeCallback } from '@/core/auth/callback-url'
import { env } from '@/core/env'
import { anyone } from '@/core/guard/policy'
import { route } from '@/core/guard/route'
import { callbackUrl, urlAnswer } from '@/core/http/auth-schemas'
import { backToForm, prefersPage, problemWithUrl, signInPage } from '@/core/http/back-to-sign-in'
import { giveCsrfToken, requireCsrfToken } from '@/core/http/csrf-token'
import { ownOrigin } from '@/core/http/own-origin'
import type { Problem } from '@/core/http/problem'
import { setSessionCookie } from '@/core/http/session-cookie'
import { wantsJson } from '@/core/http/session-routes'
import { attemptSignIn, credentials } from '@/core/http/sign-in-attempt'

/** What Auth.js's browser client asks for besides the session and signing out. */

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
    summary: 'A CSRF token for this browser',
    description: 'With its cookie, which the token must be sent along with.',
    who: anyone,
    answers: {
      200: { description: 'The token.', body: z.strictObject({ csrfToken: z.string() }) },
    },
  },
  async (c) => c.json({ csrfToken: await giveCsrfToken(c) }),
)

const providers = route(
  {
    method: 'get',
    path: '/auth/providers',
    name: 'providers',
    summary: 'The ways to sign in',
    who: anyone,
    answers: { 200: { description: 'By their ids.', body: z.record(z.string(), provider) } },
  },
  (c) => {
    const base = `${ownOrigin(c)}/api/auth`
    const known = [...env().providers, password].map(({ id, name, type }) => [
      id,
      { id, name, type, signinUrl: `${base}/signin/${id}`, callbackUrl: `${base}/callback/${id}` },
    ])
    return c.json(Object.fromEntries(known))
  },
)

const password = { id: 'credentials', name: 'Credentials', type: 'credentials' }

const signInPageRoute = route(
  {
    method: 'get',
    path: '/auth/signin',
    name: 'sign_in_page',
    summary: 'The page to sign in on',
    who: anyone,
    takes: { query: z.object({ callbackUrl }) },
    answers: { 303: { description: 'To it.', headers: { Location: '`/sign-in`.' } } },
  },
  (c, { query }) => c.redirect(signInPage({}, safeCallback(query.callbackUrl, ownOrigin(c))), 303),
)

const credentialsCallback = route(
  {
    method: 'post',
    path: '/auth/callback/credentials',
    name: 'callback_credentials',
    summary: 'Sign in with a password, as Auth.js’s client does',
    description: 'The same as `/auth/signin`, with the same limits; it wants the CSRF token too.',
    who: anyone,
    takes: {
      body: credentials.extend({ csrfToken: z.string().max(1000).default(''), callbackUrl }),
      forms: true,
      example: { csrfToken: '…', email: 'viewer@example.com', password: 'plinth-demo-1' },
    },
    answers: {
      200: { description: 'Where to go, with `X-Auth-Return-Redirect: 1`.', body: urlAnswer },
      303: {
        description: 'Signed in and sent to `callbackUrl`, or sent back to the form.',
        headers: { Location: 'Where to go.' },
      },
    },
    problems: ['csrf_mismatch', 'invalid_credentials', 'rate_limited'],
    async sendBack(c, problem) {
      if (wantsJson(c, true)) return problemWithUrl(c, problem, nameForClient(problem))
      return prefersPage(c) ? backToForm(c, problem) : undefined
    },
  },
  async (c, { body }) => {
    await requireCsrfToken(c, body.csrfToken)
    const { token, session } = await attemptSignIn(c, body)
    setSessionCookie(c, token, session.expiresAt)
    const origin = ownOrigin(c)
    const path = safeCallback(body.callbackUrl, origin)
    return wantsJson(c, true) ? c.json({ url: `${origin}${path}` }) : c.redirect(path, 303)
  },
)

/** Auth.js's own names; everything about a password is one error there, told apart by its code. */
function nameForClient({ code }: Problem): Record<string, string> {
  if (code === 'csrf_mismatch') return { error: 'MissingCSRF' }
  const wrong = code === 'invalid_credentials' || code === 'validation_failed'
  return { error: 'CredentialsSignin', code: wrong ? 'credentials' : code }
}

export const authJsRoutes = [csrf, providers, signInPageRoute, credentialsCallback]
