import { z } from 'zod'
import { providerUrl } from '@/core/setting-kinds'

/**
 * A service that can say who a person is. All there is to say of one is in its file in this folder,
 * as data: who asks it, and with what, is the business of `oauth.ts`.
 */
export type InstalledProvider = {
  id: string
  name: string
  /** The names of its settings. The first two are its keys; the last leads to another server. */
  settings: { clientId: string; clientSecret: string; url: string }
  /** The server that everybody knows. */
  home: string
} & (OpenIdConnect | OAuth)

/** It describes itself, and vouches in a signed token. */
type OpenIdConnect = {
  type: 'oidc'
  person(claims: Readonly<Record<string, unknown>>): Vouched
}

/** It has to be known where everything is, and asked who came. */
type OAuth = {
  type: 'oauth'
  endpoints(url: string | undefined): Endpoints
  person(ask: Ask, userinfo: string): Promise<Vouched>
}

type Endpoints = {
  issuer: string
  authorization: string
  scope: string
  token: string
  userinfo: string
}

/** Fetches JSON in the name of the person who came. */
export type Ask = (url: string) => Promise<unknown>

/** The address only where the provider has verified it. */
export type Vouched = { id: string; name: string | null; email: string | null }

/** One whose keys are set. */
export type Provider = InstalledProvider & {
  clientId: string
  clientSecret: string
  /** Where it is, when it is not at home. */
  url: string | undefined
  /** Where a browser is sent. */
  origin: string
}

type Field = z.ZodOptional<z.ZodString>

export function fieldsOf(installed: readonly InstalledProvider[]): Record<string, Field> {
  return Object.fromEntries(
    installed.flatMap(({ settings }) => [
      [settings.clientId, z.string().optional()],
      [settings.clientSecret, z.string().optional()],
      [settings.url, providerUrl().optional()],
    ]),
  )
}

type Values = Readonly<Record<string, unknown>>

/** Each of the two keys is nothing without the other. */
export function missingKeyOf(
  { settings: { clientId, clientSecret } }: InstalledProvider,
  values: Values,
): { name: string; beside: string } | undefined {
  if (values[clientId] && !values[clientSecret]) return { name: clientSecret, beside: clientId }
  if (values[clientSecret] && !values[clientId]) return { name: clientId, beside: clientSecret }
  return undefined
}

export function configuredOf(installed: readonly InstalledProvider[], values: Values): Provider[] {
  const textOf = (name: string) => {
    const value = values[name]
    return typeof value === 'string' ? value : undefined
  }
  return installed.flatMap((provider) => {
    const clientId = textOf(provider.settings.clientId)
    const clientSecret = textOf(provider.settings.clientSecret)
    if (!clientId || !clientSecret) return []
    const url = textOf(provider.settings.url)
    const { origin } = new URL(url ?? provider.home)
    return [{ ...provider, clientId, clientSecret, url, origin }]
  })
}
