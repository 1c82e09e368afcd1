import { execFile } from 'node:child_process'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { atEnd } from '../ending.mjs'
import { Stop } from '../failure.mjs'
import { startProcess } from '../processes.mjs'
import { findProgram, newestFirst } from './find-program.mjs'
import { freePort } from './port.mjs'
import { unprivilegedUser } from './unprivileged-user.mjs'
import { keepOutput, waitFor } from './wait.mjs'

const run = promisify(execFile)

/** The folder of PostgreSQL's server programs, the newest where there are several. */
export function findPostgres() {
  const initdb = findProgram('initdb', [
    ...newestFirst('/usr/lib/postgresql', /^\d/, 'bin'),
    ...newestFirst('/opt/homebrew/opt', /^postgresql/, 'bin'),
    ...newestFirst('/usr/local/opt', /^postgresql/, 'bin'),
  ])
  return initdb && dirname(initdb)
}

/** Starts a private cluster in a temporary folder, which `end` removes. */
export async function startPostgres(bin) {
  const user = await unprivilegedUser()
  const folder = await mkdtemp(join(tmpdir(), 'plinth-postgres-'))
  const removeFolder = atEnd(() => rm(folder, { recursive: true, force: true }))
  if (user) await chown(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const options = { cwd: folder, ...user }
  await run(join(bin, 'initdb'), initialise(data), options).catch(({ stderr = '' }) => {
    throw new Stop('PostgreSQL could not create a cluster.', stderr.trimEnd().split('\n'))
  })

  const port = await freePort()
  let server
  async function start() {
    server = startProcess(join(bin, 'postgres'), serve(data, folder, port), {
      ...options,
      // SIGQUIT: at once, without a last checkpoint for data that is about to be deleted.
      endSignal: 'SIGQUIT',
    })
    const output = keepOutput(server.child)
    await waitFor('PostgreSQL', { exited: server.exited, output }, () => answers(bin, port))
  }

  await start()
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    /** Goes away as in a crash, and comes back with its data. */
    stop: () => server.end(),
    start,
    async end() {
      await server.end()
      await removeFolder()
    },
  }
}

function initialise(data) {
  return ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync']
}

function serve(data, sockets, port) {
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: sockets,
    max_connections: 200,
    fsync: 'off',
  }
  return [
    '-D',
    data,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
}

async function answers(bin, port) {
  try {
    await run(join(bin, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)])
    return true
  } catch {
    return false
  }
}
