import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Facts } from '@/core/doctor/facts'
import { type Finding, reporter } from '@/core/doctor/finding'

const { error, warning, fine } = reporter('files')

/** Where settings are read from, in production. */
const settingFiles = ['.env', '.env.local', '.env.production', '.env.production.local']

const readableByOthers = 0o004

export function checkFiles({ settings, folder }: Facts): Finding[] {
  const data = resolve(folder, settings.DATA_DIR)
  const names = [...settingFiles, settings.DATA_DIR, join(settings.DATA_DIR, 'auth-secret')]
  // A folder that nobody may enter hides what is in it.
  const hidden = existsSync(data) && !isReadable(data)
  const open = names.filter((name) => {
    const path = resolve(folder, name)
    return existsSync(path) && isReadable(path) && !(hidden && path.startsWith(data))
  })
  const findings = [
    ...open.map((name) =>
      warning(`${name} can be read by everybody on this machine.`, `chmod go= ${name}`),
    ),
    ...trackedIn(folder).map((name) =>
      error(
        `${name} is in the repository, and so are its secrets.`,
        `git rm --cached ${name}, and change every secret in it: the history keeps them.`,
      ),
    ),
  ]
  return findings.length > 0 ? findings : [fine('What is secret is for its owner alone.')]
}

/** Windows keeps it elsewhere, and says that everybody may. */
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
    // No repository, or no git to ask.
    return []
  }
}
