import type { InstalledProvider } from '#auth/oauth/provider'
import { type Env, env } from '#config/env'

/** An installed provider whose id and secret are set. */
export type Provider = InstalledProvider & {
  clientId: string
  clientSecret: string
  /** Set when it is not the public server. */
  url: string | undefined
  /** Where the browser is sent. */
  origin: string
}

const installed: { providers: readonly InstalledProvider[] } = {
  providers: [],
}

export function installProviders(providers: readonly InstalledProvider[]): void {
  installed.providers = providers
}

/** @public For modules. */
export function configuredProviderIds(): string[] {
  return configuredProviders(env()).map(({ id }) => id)
}

export function configuredProviders({ oauth }: Pick<Env, 'oauth'>): Provider[] {
  return installed.providers.flatMap((provider) => {
    const configured = oauth[provider.id]
    if (!configured) return []
    const { origin } = new URL(configured.url ?? provider.home)
    return [{ ...provider, ...configured, origin }]
  })
}

/** The names of the settings of all installed providers. */
export function providerSettings(): string[] {
  return installed.providers.flatMap(({ settings }) => Object.values(settings))
}

/** The id of a provider that is no longer installed. */
export function providerName(id: string): string {
  return installed.providers.find((provider) => provider.id === id)?.name ?? id
}
