import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onShutdown, startProcess } from '../../../scripts/processes.mjs'
import {
  captureOutput,
  findProgram,
  freePort,
  unprivilegedUser,
  waitUntilReady,
} from '../../../scripts/services/programs.mjs'

export function findPgBouncer() {
  return findProgram('pgbouncer', ['/usr/sbin', '/usr/bin', '/opt/homebrew/bin', '/usr/local/bin'])
}

/**
 * Starts a pooler in transaction mode in front of a server: each query may use another session.
 *
 * @param {string | undefined} program
 * @param {string} url Of the server.
 * @param {Record<string, string | number>} more Settings of the pooler.
 */
export async function startPgBouncer(program, url, more = {}) {
  const user = await unprivilegedUser()
  const folder = await mkdtemp(join(tmpdir(), 'plinth-pgbouncer-'))
  const removeFolder = onShutdown(() => rm(folder, { recursive: true, force: true }))
  const port = await freePort()
  const settings = join(folder, 'pgbouncer.ini')
  await writeFile(join(folder, 'users.txt'), '"postgres" ""\n')
  await writeFile(settings, settingsFor(new URL(url), folder, port, more))
  if (user) {
    for (const name of ['', 'users.txt', 'pgbouncer.ini']) {
      await chown(join(folder, name), user.uid, user.gid)
    }
  }
  let server
  async function start() {
    server = startProcess(program, [settings], { cwd: folder, ...user, stopSignal: 'SIGTERM' })
    const output = captureOutput(server.child)
    await waitUntilReady('PgBouncer', { exited: server.exited, output }, () =>
      Promise.resolve(output.some((line) => line.includes('process up'))),
    )
  }

  await start()
  const pooled = new URL(url)
  pooled.port = String(port)
  return {
    url: pooled.href,
    /** Ends all connections; `start` accepts new ones at the same port. */
    halt: () => server.stop(),
    start,
    async stop() {
      await server.stop()
      await removeFolder()
    },
  }
}

function settingsFor({ hostname, port: target }, folder, port, more) {
  const lines = Object.entries(more).map(([name, value]) => `${name} = ${value}\n`)
  return `[databases]
* = host=${hostname} port=${target}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
default_pool_size = 20
max_client_conn = 200
${lines.join('')}`
}
