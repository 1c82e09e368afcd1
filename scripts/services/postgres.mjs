import { execFile } from 'node:child_process'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { CommandError } from '../errors.mjs'
import { onShutdown, startProcess } from '../processes.mjs'
import { captureOutput, findProgram, freePort, newestFirst, waitUntilReady } from './programs.mjs'

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
