import { once } from 'node:events'
import { accessSync, constants, readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CommandError } from '../errors.mjs'
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

/** Polls `isReady`. Throws with the captured output if the process exits first or the time is up. */
export async function waitUntilReady(name, { exited, output = [] }, isReady, timeoutMs = 60_000) {
  let hasExited = false
  exited.then(() => {
    hasExited = true
  })
  const deadline = performance.now() + timeoutMs
  while (!(await isReady())) {
    if (hasExited) throw new CommandError(`${name} exited during startup.`, output)
    if (performance.now() > deadline) {
      throw new CommandError(`${name} was not ready after ${timeoutMs / 1000} s.`, output)
    }
    await sleep(50)
  }
}

/** Keeps the last lines of output for error messages. */
export function captureOutput(child, maxLines = 60) {
  const output = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output.push(...text.trimEnd().split('\n'))
      output.splice(0, output.length - maxLines)
    })
  }
  return output
}

/** The preferred port of 127.0.0.1 if it is free, otherwise any free port. */
export async function freePort(preferred = 0) {
  const server = createServer()
  try {
    server.listen(preferred, '127.0.0.1')
    await once(server, 'listening')
    return server.address().port
  } catch (error) {
    if (preferred === 0 || error.code !== 'EADDRINUSE') throw error
    return freePort()
  } finally {
    server.close()
  }
}

export async function acceptsConnections(port) {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
