/** A user of a provider, in development and in tests. */
type ProviderUser = {
  id: string
  login: string
  name: string | null
  email: string
  verified: boolean
  /** Shown in the profile and never verified. */
  publicEmail?: string
}

/** What a userinfo endpoint returns, by the end of the URL. */
type Userinfo = (user: ProviderUser) => Readonly<Record<string, unknown>>

const github: Userinfo = ({ id, login, name, email, verified, publicEmail = null }) => ({
  '': { id: Number(id), login, name, email: publicEmail },
  '/emails': [
    { email: 'second@example.com', primary: false, verified: true },
    { email, primary: true, verified },
  ],
})

/** Plain OAuth providers. Those with OpenID Connect have the profile in the ID token. */
const providers: Readonly<Record<string, Userinfo>> = {
  github,
}

/** Undefined if there is no such URL. A provider that is not listed returns what GitHub does. */
export function userinfoOf(provider: string, user: ProviderUser, end: string): unknown {
  const userinfo = providers[provider] ?? github
  return userinfo(user)[end]
}
