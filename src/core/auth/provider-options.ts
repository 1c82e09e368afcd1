import 'server-only'
import { githubProfile } from '@/core/auth/github-profile'
import type { Provider } from '@/core/auth/providers'

/** What Auth.js is told about each provider beyond what it knows. */

type Tokens = { access_token: string }

export function githubOptions({ url, ...provider }: Provider) {
  const user = url ? `${url}/api/v3/user` : 'https://api.github.com/user'
  return {
    ...shared(provider),
    ...(url ? { enterprise: { baseUrl: url } } : {}),
    userinfo: {
      request: ({ tokens }: { tokens: Tokens }) => githubProfile(user, tokens.access_token),
    },
  }
}

type Claims = { sub: string; name: string; email: string; email_verified: boolean }

export function googleOptions({ url, ...provider }: Provider) {
  return {
    ...shared(provider),
    ...(url ? { issuer: url } : {}),
    profile: ({ sub, name, email, email_verified }: Claims) => ({
      id: sub,
      name,
      email: email_verified === true ? email : null,
    }),
  }
}

/** Its own choice for GitHub is PKCE alone. */
function shared({ clientId, clientSecret }: Pick<Provider, 'clientId' | 'clientSecret'>) {
  const checks: ('pkce' | 'state')[] = ['pkce', 'state']
  return { clientId, clientSecret, checks }
}
