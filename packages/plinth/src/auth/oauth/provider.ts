/**
 * An OAuth provider, described as data. `core/auth/oauth/flow.ts` uses it.
 */
export type InstalledProvider = {
  id: string
  name: string
  /** The names of its settings. `url` points it at another server. */
  settings: { clientId: string; clientSecret: string; url: string }
  /** The URL of the public server. */
  home: string
} & (OpenIdConnect | OAuth)

/** Endpoints are discovered; the profile comes from the signed ID token. */
type OpenIdConnect = {
  type: 'oidc'
  profile(claims: Readonly<Record<string, unknown>>): RawProfile
}

/** Endpoints are listed here; the profile is fetched with the access token. */
type OAuth = {
  type: 'oauth'
  endpoints(url: string | undefined): Endpoints
  profile(fetchJson: FetchJson, userinfo: string): Promise<RawProfile>
  /**
   * The responses of the provider about a user, by what follows the URL of `userinfo`. In development and
   * in tests a local server responds with them.
   */
  sampleUserinfo(user: SampleUser): Readonly<Record<string, unknown>>
}

/** A user of the local server of development and tests. */
export type SampleUser = {
  id: string
  login: string
  name: string | null
  email: string
  verified: boolean
  /** Shown in the profile and never verified. */
  publicEmail?: string
}

/** The response of the local server about a user; `end` is what follows the URL of the endpoint. */
export function userinfoOf(provider: InstalledProvider, user: SampleUser, end: string): unknown {
  if (provider.type === 'oauth') return provider.sampleUserinfo(user)[end]
  const { id, name, email, verified } = user
  return end === '' ? { sub: id, name, email, email_verified: verified } : undefined
}

type Endpoints = {
  issuer: string
  authorization: string
  scope: string
  token: string
  userinfo: string
}

/** Fetches JSON with the user's access token. */
export type FetchJson = (url: string) => Promise<unknown>

/** `email` only if the provider has verified it. */
export type RawProfile = { id: string; name: string | null; email: string | null }
