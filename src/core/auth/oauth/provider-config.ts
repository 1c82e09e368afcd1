import 'server-only'
import type { Provider } from '@/core/auth/oauth/configured-providers'
import { providerFetch } from '@/core/auth/oauth/provider-fetch'
import type { FetchJson, RawProfile } from '@/core/auth/oauth/providers/provider'

/** The provider in the format of Auth.js. */
export function providerConfig(provider: Provider) {
  const { id, name, clientId, clientSecret, home, url } = provider
  // Auth.js's default is PKCE alone.
  const checks: ('pkce' | 'state')[] = ['pkce', 'state']
  const client = { id, name, clientId, clientSecret, checks }
  if (provider.type === 'oidc') {
    return { ...client, type: provider.type, issuer: url ?? home, profile: provider.profile }
  }
  const { issuer, authorization, scope, token, userinfo } = provider.endpoints(url)
  return {
    ...client,
    type: provider.type,
    issuer,
    authorization: { url: authorization, params: { scope } },
    token,
    userinfo: {
      url: userinfo,
      request: ({ tokens }: { tokens: { access_token: string } }) =>
        provider.profile(fetchJsonWith(tokens.access_token), userinfo),
    },
    profile: (profile: RawProfile) => profile,
  }
}

function fetchJsonWith(accessToken: string): FetchJson {
  return async (url) => {
    const response = await providerFetch(url, {
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${accessToken}`,
        'user-agent': 'plinth',
      },
      redirect: 'error',
    })
    if (!response.ok) throw new Error(`${url} responded with ${response.status}.`)
    return response.json()
  }
}
