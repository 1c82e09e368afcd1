import 'server-only'
import { type AuthConfig, customFetch, skipCSRFCheck } from '@auth/core'
import { type Cookies, sendAuthRequest } from '@/core/auth/oauth/auth-request'
import type { Provider } from '@/core/auth/oauth/configured-providers'
import { oauthCookieNames } from '@/core/auth/oauth/cookies'
import { failureOf, type OAuthFailure } from '@/core/auth/oauth/failure'
import { verifyIdToken } from '@/core/auth/oauth/id-token'
import type { ProviderProfile } from '@/core/auth/oauth/profile'
import { providerConfig } from '@/core/auth/oauth/provider-config'
import { type ProviderFetch, providerConversation } from '@/core/auth/oauth/provider-fetch'
import { env } from '@/core/config/env'
import { connection } from '@/core/db/client'
import { readDatabaseTime } from '@/core/db/clock'

/** Where to send the browser, and the cookies that it must bring back. */
export type AuthorizationRequest = { url: string; cookies: Cookies }

/** `hints` are added to the authorization request. */
export async function startOAuth(
  provider: Provider,
  origin: string,
  hints: Readonly<Record<string, string | undefined>>,
): Promise<AuthorizationRequest | OAuthFailure> {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(hints)) if (value) query.set(name, value)
  const response = await sendAuthRequest({
    url: `${origin}/api/auth/signin/${provider.id}?${query}`,
    method: 'POST',
    // The same-origin middleware has already checked the request.
    config: {
      providers: [configured(provider, providerConversation())],
      skipCSRFCheck,
      ...flowCookies(provider),
    },
  })
  if ('failure' in response) return response
  return { url: response.redirect ?? '', cookies: response.cookies }
}

/** `cookies` are those of the authorization request. */
export async function finishOAuth(
  provider: Provider,
  origin: string,
  query: URLSearchParams,
  cookies: Cookies,
): Promise<ProviderProfile | OAuthFailure> {
  let profile: ProviderProfile | undefined
  let idToken = ''
  const fetch = providerConversation()
  const response = await sendAuthRequest({
    url: `${origin}/api/auth/callback/${provider.id}?${query}`,
    cookies,
    config: {
      providers: [configured(provider, fetch)],
      ...flowCookies(provider),
      callbacks: {
        signIn({ user, account }) {
          const accountId = account?.providerAccountId
          if (!accountId) return false
          const name = typeof user.name === 'string' ? user.name : undefined
          profile = { provider: provider.id, accountId, email: user.email ?? undefined, name }
          idToken = account.id_token ?? ''
          // A string ends the flow here, before Auth.js would create a session.
          return '/'
        },
      },
    },
  })
  if ('failure' in response) return response
  if (provider.type === 'oidc') {
    const now = await readDatabaseTime(connection())
    try {
      await verifyIdToken(provider, idToken, fetch, now)
    } catch (error) {
      return failureOf(error)
    }
  }
  return profile ?? { failure: 'oauth_failed', error: new Error('The provider sent no profile.') }
}

function flowCookies({ id }: Provider) {
  const { state, verifier, nonce } = oauthCookieNames(env().AUTH_URL, id)
  return {
    cookies: {
      state: { name: state },
      pkceCodeVerifier: { name: verifier },
      nonce: { name: nonce },
    },
  }
}

function configured(provider: Provider, fetch: ProviderFetch): AuthConfig['providers'][number] {
  return { ...providerConfig(provider, fetch), [customFetch]: fetch }
}
