import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { accessSync, constants, readdirSync } from 'node:fs'
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { cacheFolder } from '../paths.mjs'
import { onShutdown, runLogged, startProcess } from '../processes.mjs'
import { CommandError, showProgress } from '../terminal.mjs'

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
function newestFirst(parent, pattern, ...inside) {
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

/**
 * A free port of 127.0.0.1, outside of the range of outgoing connections, any of which could take it
 * before the program does. It is random, so that test runs beside each other do not choose the same.
 */
export async function freePort() {
  const server = createServer()
  try {
    server.listen(randomInt(20_000, 32_000), '127.0.0.1')
    await once(server, 'listening')
    return server.address().port
  } catch (error) {
    if (error.code !== 'EADDRINUSE') throw error
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

const run = promisify(execFile)

/** The folder of PostgreSQL's server programs, in the newest installed version. */
export function findPostgres() {
  const initdb = findProgram('initdb', [
    ...newestFirst('/usr/lib/postgresql', /^\d/, 'bin'),
    ...newestFirst('/opt/homebrew/opt', /^postgresql/, 'bin'),
    ...newestFirst('/usr/local/opt', /^postgresql/, 'bin'),
  ])
  return initdb && dirname(initdb)
}

/** Starts a private cluster in a temporary folder inside `parent`, which `stop` removes. */
export async function startPostgres(bin, { parent = tmpdir(), settings = {} } = {}) {
  const user = await unprivilegedUser()
  const folder = await mkdtemp(join(parent, 'plinth-postgres-'))
  const removeFolder = onShutdown(() => rm(folder, { recursive: true, force: true }))
  if (user) await chown(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const options = { cwd: folder, ...user }
  await run(join(bin, 'initdb'), initdbArguments(data), options).catch(({ stderr = '' }) => {
    throw new CommandError('initdb failed.', stderr.trimEnd().split('\n'))
  })

  const port = await freePort()
  let server
  async function start() {
    server = startProcess(join(bin, 'postgres'), serverArguments(data, folder, port, settings), {
      ...options,
      // SIGQUIT skips the final checkpoint: the data is about to be deleted.
      stopSignal: 'SIGQUIT',
    })
    const output = captureOutput(server.child)
    await waitUntilReady('PostgreSQL', { exited: server.exited, output }, () => isReady(bin, port))
  }

  await start()
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    get pid() {
      return server.child.pid
    },
    /** Stops as in a crash; `start` brings it back with its data. */
    crash: () => server.stop(),
    start,
    async stop() {
      await server.stop()
      await removeFolder()
    },
  }
}

function initdbArguments(data) {
  return ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync']
}

function serverArguments(data, sockets, port, more) {
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: sockets,
    max_connections: 200,
    fsync: 'off',
    ...more,
  }
  return [
    '-D',
    data,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
}

async function isReady(bin, port) {
  try {
    await run(join(bin, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)])
    return true
  } catch {
    return false
  }
}

/** PostgreSQL refuses to run as root. Its packages create the user `postgres`. */
export async function unprivilegedUser() {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = await Promise.all([readId('-u', name), readId('-g', name)])
    if (uid && gid) return { uid, gid }
  }
  return undefined
}

async function readId(flag, name) {
  try {
    return Number((await run('id', [flag, name])).stdout)
  } catch {
    return undefined
  }
}
