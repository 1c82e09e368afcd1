import 'server-only'
import { installed } from '@/core/auth/oauth/providers/installed'
import type { InstalledProvider } from '@/core/auth/oauth/providers/provider'
import { type Env, env } from '@/core/config/env'

/** An installed provider whose id and secret are set. */
export type Provider = InstalledProvider & {
  clientId: string
  clientSecret: string
  /** Set when it is not the public server. */
  url: string | undefined
  /** Where the browser is sent. */
  origin: string
}

/** @public For modules. */
export function configuredProviderIds(): string[] {
  return configuredProviders(env()).map(({ id }) => id)
}

export function configuredProviders({ oauth }: Pick<Env, 'oauth'>): Provider[] {
  return installed.flatMap((provider) => {
    const configured = oauth[provider.id]
    if (!configured) return []
    const { origin } = new URL(configured.url ?? provider.home)
    return [{ ...provider, ...configured, origin }]
  })
}

/** The names of the settings of all installed providers. */
export const providerSettings = installed.flatMap(({ settings }) => Object.values(settings))

/** The id of a provider that is no longer installed. */
export function providerName(id: string): string {
  return installed.find((provider) => provider.id === id)?.name ?? id
}
