import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Facts } from '@/doctor/facts'
import { type Finding, reporter } from '@/doctor/finding'

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
