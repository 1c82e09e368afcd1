import { providerUrl } from '@/core/config/setting-types'

/**
 * `AUTH_<PROVIDER>_ID` and `AUTH_<PROVIDER>_SECRET` configure a provider, `AUTH_<PROVIDER>_URL` or
 * `AUTH_<PROVIDER>_ISSUER` points it at another server. Any provider is read: core/auth knows which
 * are installed.
 */
export type OAuthSettings = { clientId: string; clientSecret: string; url: string | undefined }

const settingName = /^AUTH_([A-Z0-9_]+)_(ID|SECRET|URL|ISSUER)$/

type Source = Readonly<Record<string, string | undefined>>
type SettingError = { name: string; message: string }

export function parseOAuthSettings(source: Source): Record<string, OAuthSettings> {
  const complete = providersIn(source).flatMap((provider) => {
    const { ID, SECRET, URL, ISSUER } = valuesOf(source, provider)
    if (!ID || !SECRET) return []
    const id = provider.toLowerCase().replaceAll('_', '-')
    return [[id, { clientId: ID, clientSecret: SECRET, url: URL ?? ISSUER }]]
  })
  return Object.fromEntries(complete)
}

export function oauthSettingErrors(source: Source): SettingError[] {
  return providersIn(source).flatMap((provider) => {
    const { ID, SECRET, URL, ISSUER } = valuesOf(source, provider)
    const prefix = `AUTH_${provider}`
    return [
      ...(ID && !SECRET ? [required(`${prefix}_SECRET`, `${prefix}_ID`)] : []),
      ...(SECRET && !ID ? [required(`${prefix}_ID`, `${prefix}_SECRET`)] : []),
      ...urlErrors(`${prefix}_URL`, URL),
      ...urlErrors(`${prefix}_ISSUER`, ISSUER),
    ]
  })
}

function providersIn(source: Source): string[] {
  const names = Object.keys(source).map((name) => settingName.exec(name)?.[1] ?? '')
  return [...new Set(names)].filter((name) => name !== '')
}

function valuesOf(source: Source, provider: string): Partial<Record<string, string>> {
  const keys = ['ID', 'SECRET', 'URL', 'ISSUER']
  const values = keys.map((key) => [key, source[`AUTH_${provider}_${key}`]])
  return Object.fromEntries(values)
}

function required(name: string, other: string): SettingError {
  return { name, message: `is required with ${other}` }
}

function urlErrors(name: string, value: string | undefined): SettingError[] {
  if (value === undefined) return []
  const issue = providerUrl().safeParse(value).error?.issues[0]
  return issue ? [{ name, message: issue.message }] : []
}
