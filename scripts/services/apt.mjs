import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cacheFolder } from '../paths.mjs'
import { runLogged } from '../processes.mjs'
import { showProgress } from '../progress.mjs'
import { findProgram } from './find-program.mjs'

let updated = false

export function canInstallPackages() {
  return process.getuid?.() === 0 && findProgram('apt-get') !== undefined
}

/** Installs a Debian package. The caller checks for its program afterwards. */
export async function installPackage(name) {
  const progress = showProgress(`Installing ${name}`)
  if (!updated) await aptGet(['update'], progress.activity)
  updated = true
  if (name === 'postgresql') await preventMainCluster(progress.activity)
  const { code, lines } = await aptInstall(name, progress.activity)
  progress.done(code === 0 ? 'done' : `apt-get failed (${lines.at(-1) ?? code})`)
}

/** The tests start a private cluster. Debian's default cluster would occupy port 5432 for nothing. */
async function preventMainCluster(onActivity) {
  await aptInstall('postgresql-common', onActivity)
  const file = '/etc/postgresql-common/createcluster.conf'
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return
  await writeFile(
    file,
    text.replace(/^#?\s*create_main_cluster.*$/m, 'create_main_cluster = false'),
  )
}

function aptInstall(name, onActivity) {
  return aptGet(['install', '-y', '--no-install-recommends', name], onActivity)
}

function aptGet(args, onActivity) {
  return runLogged('apt-get', args, {
    log: join(cacheFolder, 'apt.log'),
    onLine: onActivity,
    // In runlevel 1 (single-user) packages do not start their services.
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
  })
}
