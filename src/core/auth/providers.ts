import type { Env } from '@/core/env'

export type ProviderId = 'github' | 'google'

/** Somebody else who can say who a person is. */
export type Provider = {
  id: ProviderId
  name: string
  type: 'oauth' | 'oidc'
  clientId: string
  clientSecret: string
  /** Where it is, when it is not the well-known one. */
  url: string | undefined
  /** Where a browser is sent. */
  origin: string
}

/** Those whose keys are set; no other exists. */
export function providersOf(settings: Env): Provider[] {
  const { AUTH_GITHUB_ID, AUTH_GITHUB_SECRET, AUTH_GITHUB_URL } = settings
  const { AUTH_GOOGLE_ID, AUTH_GOOGLE_SECRET, AUTH_GOOGLE_ISSUER } = settings
  const providers: Provider[] = []
  if (AUTH_GITHUB_ID && AUTH_GITHUB_SECRET) {
    providers.push({
      id: 'github',
      name: 'GitHub',
      type: 'oauth',
      clientId: AUTH_GITHUB_ID,
      clientSecret: AUTH_GITHUB_SECRET,
      url: AUTH_GITHUB_URL?.replace(/\/+$/, ''),
      origin: new URL(AUTH_GITHUB_URL ?? 'https://github.com').origin,
    })
  }
  if (AUTH_GOOGLE_ID && AUTH_GOOGLE_SECRET) {
    providers.push({
      id: 'google',
      name: 'Google',
      type: 'oidc',
      clientId: AUTH_GOOGLE_ID,
      clientSecret: AUTH_GOOGLE_SECRET,
      url: AUTH_GOOGLE_ISSUER,
      origin: new URL(AUTH_GOOGLE_ISSUER ?? 'https://accounts.google.com').origin,
    })
  }
  return providers
}
