import { accessSync, constants, readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { cacheFolder } from '../paths.mjs'
import { runLogged } from '../processes.mjs'
import { showProgress } from '../terminal.mjs'

/** Searches these folders first, then the PATH. */
export function findProgram(name, folders = []) {
  const path = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  const file = process.platform === 'win32' ? `${name}.exe` : name
  return [...folders, ...path].map((folder) => join(folder, file)).find(isExecutable)
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The folders `<parent>/<version>/…`, newest version first. */
export function newestFirst(parent, pattern, ...inside) {
  let names = []
  try {
    names = readdirSync(parent).filter((name) => pattern.test(name))
  } catch {
    return []
  }
  return names
    .sort((left, right) => right.localeCompare(left, 'en', { numeric: true }))
    .map((name) => join(parent, name, ...inside))
}

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const applications = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Chromium without a user interface. It takes less than half of the CPU time. */
export function findHeadlessShell() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  // The program in /usr/bin is a script, which would stay between us and the browser.
  return findProgram('chromium-headless-shell', ['/usr/lib/chromium'])
}

export function findChromium() {
  const shell = findHeadlessShell()
  if (shell) return shell
  for (const name of names) {
    const program = findProgram(name, ['/usr/bin'])
    if (program) return program
  }
  return applications.find(isExecutable)
}

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
