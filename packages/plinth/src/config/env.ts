import { randomBytes } from 'node:crypto'
import { chmodSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lazy } from '#config/lazy'
import { explainMisspelled, findMisspelled } from '#config/misspelled-settings'
import {
  conflictingSettings,
  derive,
  isOAuthSetting,
  oauthSettingErrors,
  type SettingError,
  settings,
} from '#config/settings'

export type Env = ReturnType<typeof derive>

/** A reason not to start that the operator can fix. It is printed as one line, without a stack. */
export class StartupError extends Error {
  override name = 'StartupError'
}

export function isStartupError(error: unknown): error is StartupError {
  return error instanceof StartupError
}

export class InvalidSettings extends StartupError {}

/** The settings of the process, parsed once, at start. */
export const env = lazy((): Env => parseEnv(process.env))

export function parseEnv(source: Source): Env {
  const { settings, errors } = inspectEnv(source)
  if (errors.length > 0) throw invalidSettings(errors, source)
  return settings
}

/** All errors at once, with the settings that are valid. */
export function inspectEnv(source: Source): { settings: Env; errors: SettingError[] } {
  const { given, errors: unread } = withFiles(withoutEmpty(source))
  const issues = settings.safeParse(given).error?.issues ?? []
  const invalid = [...unread, ...issues.map(toSettingError), ...oauthSettingErrors(given)]
  for (const { name } of invalid) delete given[name]
  const valid = settings.parse(given)
  const conflicts = conflictingSettings(valid).filter(
    // An invalid setting was removed above and is already reported.
    ({ name }) => !invalid.some((error) => [name, `${name}_FILE`].includes(error.name)),
  )
  const misspelled = valid.DATABASE_URL ? [] : misspelledDatabaseUrl(given)
  return { settings: derive(valid, given), errors: [...invalid, ...conflicts, ...misspelled] }
}

/**
 * The embedded database would be used instead: another one, with published passwords. Other misspelled
 * names are only logged, because another program may read them.
 */
function misspelledDatabaseUrl(given: Source): SettingError[] {
  return findMisspelled(given)
    .filter(({ meant }) => /^DATABASE_URL(_FILE)?$/.test(meant))
    .map(({ name, meant }) => ({
      name,
      message: `is not a setting, and ${meant}, which was probably meant, is not set`,
    }))
}

type Source = Readonly<Record<string, string | undefined>>

/** An empty value in a .env file means "not set". */
function withoutEmpty(source: Source): Values {
  return Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''))
}

/** `AUTH_SECRET_FILE` names the file with AUTH_SECRET: containers mount secrets as files. */
function withFiles(source: Values): { given: Values; errors: SettingError[] } {
  const given = { ...source }
  const errors: SettingError[] = []
  for (const [name, path = ''] of Object.entries(source)) {
    const setting = name.replace(/_FILE$/, '')
    if (setting === name || !isSetting(setting)) continue
    if (source[setting] !== undefined) {
      errors.push({ name, message: `cannot be set together with ${setting}` })
      continue
    }
    try {
      // Otherwise the build takes all files of the project for files of the pages.
      given[setting] = readFileSync(/* turbopackIgnore: true */ path, 'utf8').trim()
    } catch {
      errors.push({ name, message: 'must be the path of a file that the server can read' })
    }
  }
  return { given: withoutEmpty(given), errors }
}

type Values = Record<string, string | undefined>

function isSetting(name: string): boolean {
  return name in settings.shape || isOAuthSetting(name)
}

function toSettingError({ path, message }: { path: PropertyKey[]; message: string }): SettingError {
  return { name: path.join('.'), message }
}

function invalidSettings(errors: readonly SettingError[], source: Source): InvalidSettings {
  const sentences = errors.map(({ name, message }) => `${name} ${message}`)
  // A required setting may be missing because its name is misspelled.
  const hints = findMisspelled(source)
    .filter(({ name }) => !errors.some((error) => error.name === name))
    .map((misspelled) => ` ${explainMisspelled(misspelled)}`)
  return new InvalidSettings(`Settings: ${sentences.join('; ')}.${hints.join('')}`)
}

/** The secrets that sign and encrypt, newest first. The previous one stays valid during a rotation. */
export const authSecrets = lazy((): readonly string[] => readSecrets(env()))

export function readSecrets({ AUTH_SECRET, AUTH_SECRET_PREVIOUS, DATA_DIR }: Env): string[] {
  if (!AUTH_SECRET) return [storedSecret(join(DATA_DIR, 'auth-secret'))]
  return AUTH_SECRET_PREVIOUS ? [AUTH_SECRET, AUTH_SECRET_PREVIOUS] : [AUTH_SECRET]
}

function storedSecret(path: string): string {
  try {
    writeFileSync(path, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    makePrivate(path)
  }
  return readFileSync(path, 'utf8').trim()
}

/** Takes a file, or a folder with its contents, away from other users of this machine. */
export function makePrivate(path: string): void {
  let stats: ReturnType<typeof lstatSync>
  try {
    stats = lstatSync(path)
    // Otherwise it would change a file elsewhere.
    if (stats.isSymbolicLink()) return
    const mode = stats.isDirectory() ? 0o700 : 0o600
    if ((stats.mode & 0o777) !== mode) chmodSync(path, mode)
  } catch {
    // Missing, or not ours to change; the doctor reports what stays readable.
    return
  }
  if (!stats.isDirectory()) return
  for (const name of readdirSync(path)) makePrivate(join(path, name))
}
