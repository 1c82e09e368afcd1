import { execFile } from 'node:child_process'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onShutdown, startProcess } from '../../../scripts/processes.mjs'
import {
  captureOutput,
  freePort,
  unprivilegedUser,
  waitUntilReady,
} from '../../../scripts/services/programs.mjs'
import { CommandError } from '../../../scripts/terminal.mjs'
import { signalPostgres } from './signal-postgres.mjs'

const run = promisify(execFile)
const password = 'only-for-tests'

/**
 * Starts a primary and a synchronous streaming standby in a temporary folder, which `stop` removes.
 * Both ask for a password.
 *
 * @param {string | undefined} bin The folder of PostgreSQL's server programs.
 */
export async function startPostgresPair(bin) {
  if (!bin) throw new CommandError('PostgreSQL is not installed.')
  const user = await unprivilegedUser()
  const folder = await mkdtemp(join(tmpdir(), 'plinth-pair-'))
  const removeFolder = onShutdown(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'password'), password)
  for (const name of user ? ['', 'password'] : [])
    await chown(join(folder, name), user.uid, user.gid)
  const context = {
    folder,
    options: { cwd: folder, ...user, env: { ...process.env, PGPASSWORD: password } },
    execute: (program, args) => run(join(bin, program), args, context.options),
    program: join(bin, 'postgres'),
  }

  const primary = await initializePrimary(context)
  const standby = await copyToStandby(context, primary)
  await waitUntilReady('The standby', standby, () => isSynchronous(context, primary))

  return {
    primary: addressOf(primary),
    standby: addressOf(standby),
    /** Both hosts, the primary first. */
    url: `postgres://postgres:${password}@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres?target_session_attrs=read-write`,
    /** The primary and its connections are open but silent, until `resumePrimary`. */
    pausePrimary: () => signalPostgres(primary.pid, 'SIGSTOP'),
    resumePrimary: () => signalPostgres(primary.pid, 'SIGCONT'),
    async killPrimary() {
      signalPostgres(primary.pid, 'SIGKILL')
      await primary.exited
    },
    /** Resolves when the standby takes writes. It then waits for no standby of its own. */
    promote: () => context.execute('pg_ctl', ['promote', '-w', '-s', '-D', standby.data]),
    async stop() {
      signalPostgres(primary.pid, 'SIGCONT')
      await Promise.all([primary.stop(), standby.stop()])
      await removeFolder()
    },
  }
}

function addressOf({ port, pid }) {
  return { port, pid, url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres` }
}

async function initializePrimary(context) {
  const data = join(context.folder, 'primary')
  await context.execute('initdb', [
    ...['-D', data, '-U', 'postgres', '-A', 'scram-sha-256', '--pwfile=password'],
    ...['-E', 'UTF8', '--no-locale', '--no-sync'],
  ])
  // On the command line, so that the copy does not have it: after its promotion it is alone.
  return startServer(context, data, { synchronous_standby_names: '*', synchronous_commit: 'on' })
}

async function copyToStandby(context, { port }) {
  const data = join(context.folder, 'standby')
  await context.execute('pg_basebackup', [
    ...['-D', data, '-R', '-c', 'fast', '--no-sync'],
    ...['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres'],
  ])
  return startServer(context, data, {})
}

async function startServer({ program, folder, options, execute }, data, more) {
  const port = await freePort()
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: folder,
    max_connections: 200,
    fsync: 'off',
    wal_keep_size: '256MB',
    ...more,
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  // SIGQUIT skips the final checkpoint: the data is about to be deleted.
  const server = startProcess(program, ['-D', data, ...args], { ...options, stopSignal: 'SIGQUIT' })
  const output = captureOutput(server.child)
  const { exited, stop } = server
  await waitUntilReady('PostgreSQL', { exited, output }, () => isReady(execute, port))
  return { data, port, pid: server.child.pid, output, exited, stop }
}

async function isReady(execute, port) {
  try {
    await execute('pg_isready', ['-q', '-h', '127.0.0.1', '-p', String(port)])
    return true
  } catch {
    return false
  }
}

async function isSynchronous({ execute }, { port }) {
  const { stdout } = await execute('psql', [
    ...['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', '-At', '-c'],
    'select sync_state from pg_stat_replication',
  ])
  return stdout.trim() === 'sync'
}
