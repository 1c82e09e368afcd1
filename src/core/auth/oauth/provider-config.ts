import 'server-only'
import type { Provider } from '@/core/auth/oauth/configured-providers'
import { acceptedEmail } from '@/core/auth/oauth/profile'
import type { ProviderFetch } from '@/core/auth/oauth/provider-fetch'
import type { FetchJson, RawProfile } from '@/core/auth/oauth/providers/provider'

/** The provider in the format of Auth.js. */
export function providerConfig(provider: Provider, fetch: ProviderFetch) {
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
