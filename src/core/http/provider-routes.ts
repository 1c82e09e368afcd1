import { z } from 'zod'
import { safeCallback } from '@/core/auth/callback-url'
import { leaveForProvider, returnFromProvider } from '@/core/auth/oauth'
import { recordFailedJourney, signInWithProvider } from '@/core/auth/sign-in-with-provider'
import { anyone } from '@/core/guard/policy'
import { route } from '@/core/guard/route'
import { callbackUrl, urlAnswer } from '@/core/http/auth-schemas'
import {
  backToForm,
  backToLinking,
  backToSignIn,
  prefersPage,
  problemWithUrl,
} from '@/core/http/back-to-sign-in'
import { formFields } from '@/core/http/body'
import { requireCsrfToken } from '@/core/http/csrf-token'
import { scopeOf } from '@/core/http/identify'
import { beginJourney, endJourney, noteOf } from '@/core/http/journey-cookies'
import { ownOrigin } from '@/core/http/own-origin'
import { Problem } from '@/core/http/problem'
import { configuredProvider, tellFailure } from '@/core/http/provider-failures'
import { setSessionCookie } from '@/core/http/session-cookie'
import { wantsJson } from '@/core/http/session-routes'

const params = z.object({ provider: configuredProvider })

/** What a caller may add to what a provider is asked: nothing that changes what comes of it. */
const hints = z.object({
  prompt: z.string().max(100).optional(),
  login_hint: z.string().max(254).optional(),
  login: z.string().max(254).optional(),
  hd: z.string().max(254).optional(),
})

const departure = z.object({ callbackUrl, csrfToken: z.string().max(1000).optional() }).prefault({})

/** More than anybody needs, and few enough for the trail that failures leave. */
const limit = { times: 60, seconds: 10 * 60 }

const signIn = route(
  {
    method: 'post',
    path: '/auth/signin/:provider',
    name: 'sign_in_with_provider',
    summary: 'Sign in with another service',
    description:
      'Sends the browser to the service of that id, if its keys are set. Whoever is signed in links their account there. A CSRF token may be left out, since the request must be same-origin, but one that is sent must be right.',
    who: anyone,
    limit,
    takes: {
      params,
      query: hints,
      body: departure,
      forms: true,
      optional: true,
      example: { callbackUrl: '/' },
    },
    answers: {
      200: { description: 'Where to go, with `X-Auth-Return-Redirect: 1`.', body: urlAnswer },
      303: { description: 'To the service.', headers: { Location: 'Where to go.' } },
    },
    problems: ['csrf_mismatch', 'oauth_failed', 'provider_unavailable'],
    async sendBack(c, problem) {
      if (problem.code === 'not_found') return undefined
      if (wantsJson(c, true)) return problemWithUrl(c, problem, { error: problem.code })
      if (!prefersPage(c)) return undefined
      const { session } = await scopeOf(c)
      if (!session) return backToForm(c, problem)
      return backToLinking(c, problem, (await formFields(c)).callbackUrl)
    },
  },
  async (c, { params: { provider }, query, body }) => {
    if (body.csrfToken !== undefined) await requireCsrfToken(c, body.csrfToken)
    const origin = ownOrigin(c)
    const { session } = await scopeOf(c)
    const left = await leaveForProvider(provider, origin, query)
    if ('failure' in left) throw tellFailure(c, provider, left)
    const note = { callbackUrl: safeCallback(body.callbackUrl, origin), linkTo: session?.id }
    beginJourney(c, provider.id, note, left.cookies)
    return wantsJson(c, true) ? c.json({ url: left.url }) : c.redirect(left.url, 303)
  },
)

const callback = route(
  {
    method: 'get',
    path: '/auth/callback/:provider',
    name: 'callback_of_provider',
    summary: 'Come back from another service',
    description:
      'Where the service sends the browser. A failure leads to `/sign-in` with its code, and whoever was linking an account back to the page that they came from; a client that does not ask for a page gets the problem.',
    who: anyone,
    limit,
    takes: { params },
    answers: {
      303: {
        description:
          'Signed in or linked, and sent to `callbackUrl`; or back with the code of the problem.',
        headers: { Location: 'Where to go.' },
      },
    },
    problems: [
      'oauth_failed',
      'oauth_denied',
      'provider_unavailable',
      'unauthenticated',
      'email_not_verified',
      'email_in_use',
      'sign_up_closed',
      'account_linked_elsewhere',
      'provider_linked_already',
    ],
    async sendBack(c, problem) {
      if (problem.code === 'not_found' || !prefersPage(c)) return undefined
      const { linkTo, callbackUrl } = noteOf(c, c.req.param('provider') ?? '')
      return linkTo ? backToLinking(c, problem, callbackUrl) : backToSignIn(c, problem, callbackUrl)
    },
  },
  async (c, { params: { provider } }) => {
    const origin = ownOrigin(c)
    const { callbackUrl, linkTo } = noteOf(c, provider.id)
    const cookies = endJourney(c, provider.id)
    const scope = await scopeOf(c)
    const query = new URL(c.req.url).searchParams
    const back = await returnFromProvider(provider, origin, query, cookies)
    if ('failure' in back) {
      await recordFailedJourney(scope, { by: provider.id, reason: back.failure, linkTo })
      throw tellFailure(c, provider, back)
    }
    const userAgent = c.req.header('user-agent')
    const signedIn = await signInWithProvider(scope, back, { linkTo, userAgent })
    if (typeof signedIn === 'string') throw new Problem(signedIn)
    c.set('userId', signedIn.session.user.id)
    setSessionCookie(c, signedIn.token, signedIn.session.expiresAt)
    return c.redirect(safeCallback(callbackUrl, origin), 303)
  },
)

export const providerRoutes = [signIn, callback]
