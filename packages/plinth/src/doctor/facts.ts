import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { providerSettings } from '#auth/oauth/configured-providers'
import { senderError } from '#config/app-config'
import { type Env, inspectEnv, readSecrets } from '#config/env'
import { findMisspelled, type MisspelledSetting } from '#config/misspelled-settings'
import { isLoopback } from '#config/setting-types'
import type { SettingError } from '#config/settings'
import type { Finding, Module } from '#modules/module'

export type Facts = {
  settings: Env
  errors: readonly SettingError[]
  misspelled: readonly MisspelledSetting[]
  /** The newest first. Empty if they are invalid or not created yet. */
  authSecrets: readonly string[]
  /** Whether AUTH_URL is set; it has a default. */
  hasUrl: boolean
  /** AUTH_URL is not this machine. */
  published: boolean
  /** Other machines can reach it, by AUTH_URL or by HOST. */
  exposed: boolean
  /** The running app to check. */
  url: string
  folder: string
}

export type Installed = readonly Pick<Module, 'id' | 'signInSteps' | 'doctor'>[]

type Source = Readonly<Record<string, string | undefined>>

export function collectFacts(source: Source, url: string | undefined, folder: string): Facts {
  const { settings: valid, errors: invalid } = inspectEnv(source)
  const isNamed = invalid.some(({ name }) => name === 'MAIL_FROM')
  const errors = [...invalid, ...(isNamed ? [] : [senderError(valid) ?? []].flat())]
  // An invalid DATABASE_URL still means that the embedded database is not used.
  const embedded = !source.DATABASE_URL
  const HOST = valid.embedded === embedded ? valid.HOST : (source.HOST ?? '0.0.0.0')
  const settings = { ...valid, embedded, HOST }
  const published = !isLoopback(new URL(settings.AUTH_URL).hostname)
  return {
    settings,
    errors,
    misspelled: findMisspelled(source, providerSettings()),
    authSecrets: findSecrets(settings, errors, folder),
    hasUrl: Boolean(source.AUTH_URL),
    published,
    exposed: published || !isLoopback(settings.HOST),
    url: url ?? settings.AUTH_URL,
    folder,
  }
}

/** As the server reads them, but it neither creates a file nor changes its permissions. */
function findSecrets(settings: Env, errors: readonly SettingError[], folder: string): string[] {
  if (errors.some(({ name }) => name.startsWith('AUTH_SECRET'))) return []
  if (settings.AUTH_SECRET) return readSecrets(settings)
  try {
    return [readFileSync(resolve(folder, settings.DATA_DIR, 'auth-secret'), 'utf8').trim()]
  } catch {
    return []
  }
}

export function reporter(check: string) {
  return {
    error: (message: string, remedy: string): Finding => ({
      level: 'error',
      check,
      message,
      remedy,
    }),
    warning: (message: string, remedy: string): Finding => ({
      level: 'warning',
      check,
      message,
      remedy,
    }),
    ok: (message: string): Finding => ({ level: 'ok', check, message }),
  }
}
