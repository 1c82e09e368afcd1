import type { InstalledProvider } from '#auth/oauth/provider'
import { github } from '#auth/oauth/providers/github'
import { oauthProvider } from '#auth/oauth/providers/oauth'
import { openIdProvider } from '#auth/oauth/providers/open-id'
import type { Config } from '#config/app-config'

const builtIn = {
  github,
  google: openIdProvider({ id: 'google', name: 'Google', issuer: 'https://accounts.google.com' }),
}

/** The providers that `src/plinth.config.ts` lists. */
export function providersOf({ providers = [] }: Pick<Config, 'providers'>): InstalledProvider[] {
  return providers.map((listed) => {
    if (typeof listed === 'string') return builtIn[listed]
    return 'issuer' in listed ? openIdProvider(listed) : oauthProvider(listed)
  })
}
