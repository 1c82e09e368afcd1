import { type AuthConfig, customFetch, skipCSRFCheck } from '@auth/core'
import { type Cookies, oauthCookieNames, sendAuthRequest } from '#auth/oauth/auth-request'
import type { Provider } from '#auth/oauth/configured-providers'
import type { FetchJson, RawProfile } from '#auth/oauth/provider'
import {
  failureOf,
  type OAuthFailure,
  type ProviderFetch,
  providerConversation,
  verifyIdToken,
} from '#auth/oauth/provider-fetch'
import { acceptedEmail, type ProviderProfile } from '#auth/oauth/sign-in'
import { env } from '#config/env'
import { connection } from '#db/client'
import { readDatabaseTime } from '#db/clock'

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

/** The provider in the format of Auth.js. */
function providerConfig(provider: Provider, fetch: ProviderFetch) {
  const { id, name, clientId, clientSecret, home, url } = provider
  const client = { id, name, clientId, clientSecret }
  if (provider.type === 'oidc') {
    return {
      ...client,
      type: provider.type,
      checks: ['pkce' as const, 'state' as const, 'nonce' as const],
      issuer: url ?? home,
      profile: (claims: Readonly<Record<string, unknown>>) =>
        withAcceptedEmail(provider.profile(claims)),
    }
  }
  const { issuer, authorization, scope, token, userinfo } = provider.endpoints(url)
  return {
    ...client,
    type: provider.type,
    // Auth.js's default is PKCE alone.
    checks: ['pkce' as const, 'state' as const],
    issuer,
    authorization: { url: authorization, params: { scope } },
    token,
    userinfo: {
      url: userinfo,
      request: ({ tokens }: { tokens: { access_token: string } }) =>
        provider.profile(fetchJsonWith(fetch, tokens.access_token), userinfo),
    },
    profile: withAcceptedEmail,
  }
}

/** Here, because Auth.js changes the email to lower case before it passes the profile on. */
function withAcceptedEmail(profile: RawProfile): RawProfile {
  return { ...profile, email: acceptedEmail(profile.email) ?? null }
}

function fetchJsonWith(fetch: ProviderFetch, accessToken: string): FetchJson {
  return async (url) => {
    const response = await fetch(url, {
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${accessToken}`,
        'user-agent': 'plinth',
      },
    })
    if (!response.ok) throw new Error(`${url} responded with ${response.status}.`)
    return response.json()
  }
}
