import { z } from 'zod'
import {
  readFlowState,
  recognizeBrowser,
  requireCsrfToken,
  setFlashCookie,
  setFlowCookies,
  setSignInCookies,
  takeFlowCookies,
} from '#api/cookies'
import {
  callbackUrl,
  problemWithUrl,
  redirectToForm,
  redirectToLinking,
  redirectToProof,
  redirectToSignIn,
  requireSession,
  urlResponse,
  wantsJson,
} from '#api/sign-in'
import { changes } from '#auth/accounts/change-proofs'
import { isLinked } from '#auth/accounts/linked-accounts'
import { configuredProviders, type Provider } from '#auth/oauth/configured-providers'
import { finishOAuth, startOAuth } from '#auth/oauth/flow'
import type { OAuthFailure } from '#auth/oauth/provider-fetch'
import { type ProviderProfile, recordFailedOAuth, signInWithProvider } from '#auth/oauth/sign-in'
import { isRecentSignIn } from '#auth/sessions/read'
import { apiScope } from '#auth/sessions/scope'
import { env } from '#config/env'
import { anyone } from '#guard/policy'
import { route } from '#guard/route'
import type { ApiContext } from '#http/api-context'
import { ownOrigin, prefersHtml, safeCallbackUrl } from '#http/headers'
import { formFields } from '#http/input'
import { Problem } from '#http/problems'
import type { Scope } from '#http/scope'
import { log } from '#log/log'
import { findProvable, storeRecoveryProof } from '#recovery/follow-link'
import { urlWith } from '#universal/url'

/** A path parameter. A provider that is not configured does not exist. */
const configuredProvider = z.string().transform((id, context): Provider => {
  const found = configuredProviders(env()).find((provider) => provider.id === id)
  if (found) return found
  context.addIssue({ code: 'custom', message: 'is not configured' })
  return z.NEVER
})

const params = z.object({ provider: configuredProvider })

/** Parameters that a caller may add to the authorization request. None affects security. */
const hints = z.object({
  prompt: z.string().max(100).optional(),
  login_hint: z.string().max(254).optional(),
  login: z.string().max(254).optional(),
  hd: z.string().max(254).optional(),
})

const startRequest = z
  .object({
    callbackUrl,
    csrfToken: z.string().max(1000).optional(),
    change: z
      .enum(changes)
      .optional()
      .describe('The change that a linked account proves for this session, instead of a sign-in.'),
    recovery: z
      .string()
      .max(100)
      .optional()
      .describe(
        'The token of an open recovery that a linked account proves, instead of a sign-in.',
      ),
  })
  .prefault({})

/** Bounds the audit events that failures write. */
const rateLimit = { times: 60, seconds: 10 * 60 }

const signIn = route(
  {
    method: 'post',
    path: '/auth/signin/:provider',
    name: 'sign_in_with_provider',
    summary: 'Sign in with an OAuth provider',
    description:
      'Redirects the browser to the provider. A signed-in user links the provider account, which needs a recent sign-in, or signs in again with a linked one, or proves a change with it. An account that was linked before the changes of a recovery proves it. The CSRF token is optional, because the request must be same-origin, but an invalid one is rejected.',
    authorize: anyone,
    rateLimit,
    input: {
      params,
      query: hints,
      body: startRequest,
      forms: true,
      optional: true,
      example: { callbackUrl: '/' },
    },
    responses: {
      200: {
        description: 'The URL to go to, with `X-Auth-Return-Redirect: 1`.',
        body: urlResponse,
      },
      303: { description: 'Redirects to the provider.', headers: { Location: 'The URL.' } },
    },
    problems: [
      'csrf_mismatch',
      'oauth_failed',
      'provider_unavailable',
      'reauthentication_required',
      'account_not_linked',
    ],
    async onProblem(c, problem) {
      if (problem.code === 'not_found') return undefined
      if (wantsJson(c)) return problemWithUrl(c, problem, { error: problem.code })
      if (!prefersHtml(c)) return undefined
      const { session } = await apiScope(c)
      const { change, callbackUrl, recovery } = await formFields(c)
      if (recovery !== undefined) return redirectToProof(c, problem, recoveryUrl(recovery))
      if (!session) return redirectToForm(c, problem)
      return change === undefined
        ? redirectToLinking(c, problem, callbackUrl)
        : redirectToProof(c, problem, callbackUrl)
    },
  },
  async ({ scope: { session }, input: { params, query, body }, c }) => {
    const { provider } = params
    if (body.csrfToken !== undefined) await requireCsrfToken(c, body.csrfToken)
    const { recovery } = body
    if (recovery !== undefined) await requireProvable(recovery, provider)
    const linkTo = recovery === undefined ? session?.id : undefined
    const change = linkTo ? body.change : undefined
    if (session && linkTo && (change || !isRecentSignIn(session))) {
      const isOwn = await isLinked(session.user.id, provider.id)
      if (!isOwn) throw new Problem(change ? 'account_not_linked' : 'reauthentication_required')
    }
    const origin = ownOrigin(c)
    const started = await startOAuth(provider, origin, query)
    if ('failure' in started) throw oauthProblem(c, provider, started)
    const callbackUrl = safeCallbackUrl(body.callbackUrl, origin)
    const state = { callbackUrl, linkTo, change, recovery }
    setFlowCookies(c, provider.id, state, started.cookies)
    return wantsJson(c) ? { url: started.url } : c.redirect(started.url, 303)
  },
)

const callback = route(
  {
    method: 'get',
    path: '/auth/callback/:provider',
    name: 'callback_of_provider',
    summary: 'OAuth callback',
    description:
      'The provider redirects the browser here. A failed sign-in is redirected to `/sign-in` with the problem code, a failed link to the page where it started. A client that does not accept HTML gets the problem.',
    authorize: anyone,
    rateLimit,
    input: { params },
    responses: {
      303: {
        description: 'Redirects to `callbackUrl`, or back with the problem code.',
        headers: { Location: 'The URL.' },
      },
    },
    problems: [
      'oauth_failed',
      'oauth_denied',
      'provider_unavailable',
      'unauthenticated',
      'reauthentication_required',
      'email_not_verified',
      'email_in_use',
      'sign_up_closed',
      'account_linked_elsewhere',
      'provider_linked_already',
      'account_not_linked',
      'account_frozen',
      'second_factor_required',
    ],
    async onProblem(c, problem) {
      if (problem.code === 'not_found' || !prefersHtml(c)) return undefined
      const flow = readFlowState(c, c.req.param('provider') ?? '')
      const { linkTo, change, callbackUrl, recovery } = flow
      if (recovery !== undefined) return redirectToProof(c, problem, recoveryUrl(recovery))
      const { session } = await apiScope(c)
      if (session && change) return redirectToProof(c, problem, callbackUrl)
      const redirect = linkTo && !problem.extras.pending ? redirectToLinking : redirectToSignIn
      return redirect(c, problem, callbackUrl)
    },
  },
  async ({ scope, input: { params }, c }) => {
    const { provider } = params
    const origin = ownOrigin(c)
    const { callbackUrl, linkTo, change, recovery } = readFlowState(c, provider.id)
    const cookies = takeFlowCookies(c, provider.id)
    const query = new URL(c.req.url).searchParams
    const profile = await finishOAuth(provider, origin, query, cookies)
    if (recovery !== undefined) {
      const isProved = await proveRecovery(c, scope, recovery, profile)
      if ('failure' in profile) throw oauthProblem(c, provider, profile)
      if (!isProved) throw new Problem('account_not_linked')
      return c.redirect(recoveryUrl(recovery), 303)
    }
    if ('failure' in profile) {
      await recordFailedOAuth(scope, { by: provider.id, reason: profile.failure, linkTo, change })
      throw oauthProblem(c, provider, profile)
    }
    const signedIn = await signInWithProvider(scope, profile, { linkTo, change })
    if (typeof signedIn === 'string') throw new Problem(signedIn)
    const created = requireSession(c, signedIn)
    setSignInCookies(c, created)
    if (created.linked) {
      const text = `${provider.name} linked. You can now use it to sign in.`
      setFlashCookie(c, text, created.session.user.id)
    }
    return c.redirect(safeCallbackUrl(callbackUrl, origin), 303)
  },
)

export const oauthRoutes = [signIn, callback]

const recoveryUrl = (token: string) => urlWith('/recover', { token })

/** Only a provider whose account was linked before the changes. */
async function requireProvable(token: string, { id }: Provider): Promise<void> {
  const linked = await findProvable(token, 'provider')
  if (!linked.some(({ name }) => name === id)) throw new Problem('account_not_linked')
}

/** Signs no one in, also if the account at the provider belongs to another user now. A failure is an audit event too. */
function proveRecovery(
  c: ApiContext,
  scope: Scope,
  token: string,
  profile: ProviderProfile | OAuthFailure,
): Promise<boolean> {
  const proving = { token, browser: recognizeBrowser(c), kind: 'provider' as const }
  return storeRecoveryProof(scope, proving, (methods) => {
    if ('failure' in profile) return undefined
    const id = `${profile.provider} ${profile.accountId}`
    const method = methods.find((linked) => linked.id === id)
    return method && { method }
  })
}

/** Users cancel all the time. A wrong client secret or an unavailable provider needs attention. */
const levels = {
  oauth_denied: 'debug',
  oauth_failed: 'info',
  provider_unavailable: 'warn',
} as const

function oauthProblem(
  c: ApiContext,
  { id }: Provider,
  { failure, error: { message } }: OAuthFailure,
): Problem {
  const requestId = c.get('requestId')
  log()[levels[failure]]({ requestId, provider: id, reason: message }, 'OAuth sign-in failed')
  return new Problem(failure)
}
