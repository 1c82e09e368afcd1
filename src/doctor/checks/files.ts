import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Facts } from '@/doctor/facts'
import { type Finding, reporter } from '@/doctor/finding'

const { error, warning, ok } = reporter('files')

/** The files that settings are read from in production. */
const settingFiles = ['.env', '.env.local', '.env.production', '.env.production.local']

const readableByOthers = 0o004

export function checkFiles({ settings, folder }: Facts): Finding[] {
  const data = resolve(folder, settings.DATA_DIR)
  const names = [...settingFiles, settings.DATA_DIR, join(settings.DATA_DIR, 'auth-secret')]
  // A private folder protects its contents.
  const hidden = existsSync(data) && !isReadable(data)
  const open = names.filter((name) => {
    const path = resolve(folder, name)
    return existsSync(path) && isReadable(path) && !(hidden && path.startsWith(data))
  })
  const findings = [
    ...open.map((name) =>
      warning(`${name} is readable by all users of this machine.`, `chmod go= ${name}`),
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
function isReadable(path: string): boolean {
  return process.platform !== 'win32' && (statSync(path).mode & readableByOthers) !== 0
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
