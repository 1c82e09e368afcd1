import { z } from 'zod'
import {
  databaseUrl,
  mailbox,
  names,
  oneOf,
  origin,
  origins,
  providerUrl,
  proxyCount,
  secret,
  url,
  wholeNumber,
} from '#config/setting-types'
import { traceSettingErrors, traceSettings } from '#config/trace-settings'

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** Every setting of the process; `.env.example` describes each. OAuth providers have their own. */
export const settings = z.object({
  NODE_ENV: oneOf('development', 'production', 'test').default('development'),
  PORT: wholeNumber(0, 65535).default(3000),
  HOST: z.string().optional(),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: databaseUrl().optional(),
  DATABASE_DIRECT_URL: databaseUrl().optional(),
  DATABASE_POOL_SIZE: wholeNumber(1, 500).default(10),
  DATABASE_TIMEOUT_MS: wholeNumber(100, 60_000).default(2_000),
  MIGRATE: oneOf('start', 'manual').default('start'),
  REDIS_URL: url('redis:', 'rediss:').optional(),
  SESSION_CACHE: oneOf('on', 'off').default('on'),
  RENDER_CACHE_MB: wholeNumber(0, 4096).default(16),
  COMPRESSION: oneOf('on', 'off').default('on'),
  WEB_CONCURRENCY: wholeNumber(1, 64).default(1),
  SHUTDOWN_DELAY_MS: wholeNumber(0, 600_000).default(0),
  METRICS_PORT: wholeNumber(1, 65535).optional(),
  /** Anyone who can connect reads them. */
  METRICS_HOST: z.string().default('127.0.0.1'),
  ...traceSettings,
  /** Read by the build. */
  DEPLOYMENT_ID: z
    .string()
    .regex(/^[\w-]{1,64}$/, 'must be at most 64 letters, digits, - and _')
    .optional(),
  AUTH_URL: origin().optional(),
  AUTH_SECRET: secret().optional(),
  AUTH_SECRET_PREVIOUS: secret().optional(),
  AUTH_COOKIE_SAMESITE: oneOf('lax', 'none').default('lax'),
  HSTS_SUBDOMAINS: oneOf('on', 'off').default('off'),
  CORS_ORIGINS: origins().default([]),
  SIGN_UP: oneOf('open', 'invite', 'closed').default('open'),
  SECOND_FACTOR: oneOf('optional', 'admins', 'everyone').default('optional'),
  SIGN_IN_LINK: oneOf('on', 'off').default('off'),
  ACCEPT_REMOVED_PROTECTION: names().default([]),
  PASSWORD_BREACH_CHECK: oneOf('on', 'off').default('off'),
  PASSWORD_BREACH_URL: providerUrl()
    .transform((text) => text.replace(/\/+$/, ''))
    .default('https://api.pwnedpasswords.com'),
  SMTP_URL: url('smtp:', 'smtps:').optional(),
  MAIL_FROM: mailbox().optional(),
  AUDIT_RETENTION_DAYS: wholeNumber(30, 36_500).optional(),
  TRUST_PROXY: proxyCount().default(0),
  LOG_LEVEL: oneOf(...logLevels).default('info'),
})

type Values = z.output<typeof settings>

/** Never contains the value, which may be secret. */
export type SettingError = { name: string; message: string }

/** Settings that are valid alone and invalid in combination. */
export function conflictingSettings(value: Values): SettingError[] {
  const errors: SettingError[] = []
  const refuse = (name: string, message: string) => errors.push({ name, message })

  if (value.DATABASE_URL && !value.AUTH_SECRET) {
    refuse('AUTH_SECRET', 'is required with DATABASE_URL; create one with: openssl rand -base64 32')
  }
  if (value.DATABASE_DIRECT_URL && !value.DATABASE_URL) {
    refuse('DATABASE_DIRECT_URL', 'requires DATABASE_URL')
  }
  if (value.WEB_CONCURRENCY > 1 && !value.DATABASE_URL) {
    refuse('WEB_CONCURRENCY', 'requires DATABASE_URL: the embedded database has one process')
  }
  if (value.METRICS_PORT === value.PORT) {
    refuse('METRICS_PORT', 'must differ from PORT')
  }
  if (value.AUTH_SECRET_PREVIOUS && !value.AUTH_SECRET) {
    refuse('AUTH_SECRET_PREVIOUS', 'requires AUTH_SECRET')
  }
  if (value.AUTH_COOKIE_SAMESITE === 'none' && !value.AUTH_URL?.startsWith('https:')) {
    refuse('AUTH_COOKIE_SAMESITE', 'can be none only with an https AUTH_URL')
  }
  if (value.HSTS_SUBDOMAINS === 'on' && !value.AUTH_URL?.startsWith('https:')) {
    refuse('HSTS_SUBDOMAINS', 'can be on only with an https AUTH_URL')
  }
  return [...errors, ...traceSettingErrors(value)]
}

/** The settings, with defaults that depend on other settings. */
export function derive(value: Values, source: Readonly<Record<string, string | undefined>>) {
  return {
    ...value,
    // The embedded database starts with published passwords, so it listens on this machine only.
    HOST: value.HOST ?? (value.DATABASE_URL ? '0.0.0.0' : '127.0.0.1'),
    // Also printed at the start: cookies belong to one host. Browsers refuse passkeys for an IP address.
    AUTH_URL: value.AUTH_URL ?? `http://localhost:${value.PORT}`,
    /** The origins of our own pages; without AUTH_URL, both names of this machine. */
    ownOrigins: value.AUTH_URL
      ? [value.AUTH_URL]
      : [`http://localhost:${value.PORT}`, `http://127.0.0.1:${value.PORT}`],
    embedded: value.DATABASE_URL === undefined,
    /** The OAuth providers that have an id and a secret, by provider id. */
    oauth: parseOAuthSettings(source),
  }
}

/**
 * `AUTH_<PROVIDER>_ID` and `AUTH_<PROVIDER>_SECRET` configure a provider, `AUTH_<PROVIDER>_URL` or
 * `AUTH_<PROVIDER>_ISSUER` points it at another server. Any provider is read: core/auth knows which
 * are installed.
 */
export type OAuthSettings = { clientId: string; clientSecret: string; url: string | undefined }

const settingName = /^AUTH_([A-Z0-9_]+)_(ID|SECRET|URL|ISSUER)$/

export function isOAuthSetting(name: string): boolean {
  return settingName.test(name)
}

type Source = Readonly<Record<string, string | undefined>>

function parseOAuthSettings(source: Source): Record<string, OAuthSettings> {
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
