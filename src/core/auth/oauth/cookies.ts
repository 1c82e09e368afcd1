import { cookiePrefix } from '@/core/auth/sessions/cookie'

/** The cookies of one OAuth flow. Their names contain the provider, so that flows cannot mix. */
export function oauthCookieNames(authUrl: string, provider: string) {
  const prefix = cookiePrefix(authUrl)
  return {
    state: `${prefix}authjs.state.${provider}`,
    verifier: `${prefix}authjs.pkce.code_verifier.${provider}`,
    nonce: `${prefix}authjs.nonce.${provider}`,
    flow: `${prefix}plinth.oauth.${provider}`,
  }
}
