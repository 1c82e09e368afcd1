import 'server-only'
import { providerFetch } from '@/core/auth/provider-fetch'
import type { Ask, Provider, Vouched } from '@/core/auth/providers/provider'

/** What Auth.js is told about a provider. */
export function providerConfig(provider: Provider) {
  const { id, name, clientId, clientSecret, home, url } = provider
  // Both, always: its own choice is PKCE alone.
  const checks: ('pkce' | 'state')[] = ['pkce', 'state']
  const keys = { id, name, clientId, clientSecret, checks }
  if (provider.type === 'oidc') {
    return { ...keys, type: provider.type, issuer: url ?? home, profile: provider.person }
  }
  const { issuer, authorization, scope, token, userinfo } = provider.endpoints(url)
  return {
    ...keys,
    type: provider.type,
    issuer,
    authorization: { url: authorization, params: { scope } },
    token,
    userinfo: {
      url: userinfo,
      request: ({ tokens }: { tokens: { access_token: string } }) =>
        provider.person(asking(tokens.access_token), userinfo),
    },
    profile: (person: Vouched) => person,
  }
}

function asking(accessToken: string): Ask {
  return async (url) => {
    const response = await providerFetch(url, {
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${accessToken}`,
        'user-agent': 'plinth',
      },
      redirect: 'error',
    })
    if (!response.ok) throw new Error(`${url} answered ${response.status}.`)
    return response.json()
  }
}
