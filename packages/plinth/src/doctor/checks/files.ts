import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { lastBackupAt } from '#db/embedded/storage'
import { type Facts, reporter } from '#doctor/facts'
import type { Finding } from '#modules/module'

const { error, warning, ok } = reporter('files')

/** The files that settings are read from in production. */
const settingFiles = ['.env', '.env.local', '.env.production', '.env.production.local']

/** In DATA_DIR. The server makes them private at each start, if it owns them. */
const privateFiles = ['auth-secret', 'database', 'outbox']

const readableByOthers = 0o004
const accessibleToOthers = 0o077

export function checkFiles({ settings, folder }: Facts): Finding[] {
  const data = resolve(folder, settings.DATA_DIR)
  const has = (name: string, bits: number) => hasPermission(resolve(folder, name), bits)
  const readable = [...settingFiles, settings.DATA_DIR].filter((name) =>
    has(name, readableByOthers),
  )
  // A private folder protects its contents.
  const hidden = existsSync(data) && !hasPermission(data, accessibleToOthers)
  const accessible = privateFiles
    .map((name) => join(settings.DATA_DIR, name))
    .filter((name) => !hidden && has(name, accessibleToOthers))
  const findings = [
    ...readable.map((name) =>
      warning(`${name} is readable by all users of this machine.`, `chmod go= ${name}`),
    ),
    ...accessible.map((name) =>
      warning(`${name} is accessible to other users of this machine.`, `chmod -R go= ${name}`),
    ),
    ...trackedIn(folder).map((name) =>
      error(
        `${name} is committed to git, with its secrets.`,
        `Run git rm --cached ${name}, and change every secret in it: they stay in the history.`,
      ),
    ),
  ]
  return findings.length > 0
    ? findings
    : [ok('Files with secrets are readable by their owner only.')]
}

/** Windows does not report permissions in the mode. */
function hasPermission(path: string, bits: number): boolean {
  if (process.platform === 'win32' || !existsSync(path)) return false
  return (statSync(path).mode & bits) !== 0
}

function trackedIn(folder: string): string[] {
  try {
    const names = execFileSync('git', ['ls-files', '-z', '--', ...settingFiles], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return names.split('\0').filter((name) => name !== '')
  } catch {
    // Not a git repository, or git is missing.
    return []
  }
}

const backupsReport = reporter('backups')

const dayMs = 24 * 60 * 60 * 1000

/** Checks the backups of the embedded database. How PostgreSQL is backed up cannot be seen from here. */
export function checkBackups({ settings, exposed, folder }: Facts): Finding[] {
  const data = resolve(folder, settings.DATA_DIR)
  if (!settings.embedded || !exposed || !existsSync(join(data, 'database'))) return []
  const last = lastBackupAt(data)
  const remedy = 'Run npm run backup every night, and keep copies on another machine.'
  if (last === undefined) {
    return [backupsReport.warning(`${settings.DATA_DIR}/backups has none.`, remedy)]
  }
  const days = Math.floor((Date.now() - last) / dayMs)
  if (days < 2) return [backupsReport.ok('The last one is less than two days old.')]
  return [backupsReport.warning(`The last one is ${days} days old.`, remedy)]
}

const secretsReport = reporter('secrets')

const createOne = 'Create one with openssl rand -base64 32, and use it for nothing else.'

export function checkSecrets({ settings, errors, exposed }: Facts): Finding[] {
  const { AUTH_SECRET, AUTH_SECRET_PREVIOUS, DATA_DIR } = settings
  const invalid = errors
    .filter(({ name }) => name.startsWith('AUTH_SECRET'))
    .map(({ name, message }) => secretsReport.error(`${name} ${message}.`, createOne))
  const weakness = AUTH_SECRET && weaknessOf(AUTH_SECRET)
  const weak = weakness
    ? [
        (exposed ? secretsReport.error : secretsReport.warning)(
          `AUTH_SECRET ${weakness}.`,
          createOne,
        ),
      ]
    : []
  const old = AUTH_SECRET_PREVIOUS
    ? [
        secretsReport.warning(
          'AUTH_SECRET_PREVIOUS is still set and still accepted.',
          'Remove it one hour after you changed AUTH_SECRET, unless a check below says that it is needed.',
        ),
      ]
    : []
  const all = [...invalid, ...weak, ...old]
  if (all.length > 0) return all
  return [
    secretsReport.ok(
      AUTH_SECRET
        ? 'AUTH_SECRET looks random.'
        : `AUTH_SECRET is created at the first start and stored in ${DATA_DIR}.`,
    ),
  ]
}

/** Why a secret can be guessed, or undefined. A random secret has no period, order or words. */
export function weaknessOf(secret: string): string | undefined {
  if (new Set(secret).size < 10) return 'has fewer than ten different characters'
  if (hasPeriod(secret)) return 'repeats the same characters'
  if (isInOrder(secret)) return 'is a sequence of characters'
  if (isWords(secret)) return 'is made of words'
  return undefined
}

function hasPeriod(secret: string): boolean {
  const longest = Math.floor(secret.length / 2)
  for (let period = 1; period <= longest; period += 1) {
    const repeated = [...secret].filter((character, at) => character === secret[at - period]).length
    if (repeated >= 0.9 * (secret.length - period)) return true
  }
  return false
}

function isInOrder(secret: string): boolean {
  const codes = [...secret].map((character) => character.codePointAt(0) ?? 0)
  const steps = codes.filter((code, at) => Math.abs(code - (codes[at - 1] ?? Number.NaN)) === 1)
  return steps.length > 0.5 * secret.length
}

/** Mostly runs of letters in one case, with enough vowels to be pronounceable. */
function isWords(secret: string): boolean {
  const words = secret.match(/[A-Z]?[a-z]{4,}|[A-Z]{5,}/g) ?? []
  const letters = words.join('')
  const vowels = letters.match(/[aeiouy]/gi) ?? []
  return letters.length > 0.7 * secret.length && vowels.length > 0.25 * letters.length
}
