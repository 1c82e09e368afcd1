import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onShutdown, startProcess } from '../../packages/plinth/scripts/processes.mjs'
import {
  captureOutput,
  freePort,
  unprivilegedUser,
  waitUntilReady,
} from '../../packages/plinth/scripts/services/programs.mjs'
import { CommandError } from '../../packages/plinth/scripts/terminal.mjs'
import { findPgBouncer } from '../../packages/plinth/tests/support/services/pgbouncer.mjs'

/** PgBouncer in transaction mode in front of one server, which an operator can replace. */
export async function startPooler({ url }) {
  const program = process.env.TEST_PGBOUNCER || findPgBouncer()
  if (!program) throw new CommandError('PgBouncer is not installed.')
  const user = await unprivilegedUser()
  const folder = await mkdtemp(join(tmpdir(), 'plinth-cluster-pooler-'))
  onShutdown(() => rm(folder, { recursive: true, force: true }))
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  const pooled = new URL(url)
  pooled.port = String(port)

  async function configure(target) {
    await writeFile(file, settingsFor(new URL(target), folder, port))
  }
  async function start() {
    const { child, exited, stop } = startProcess(program, [file], { cwd: folder, ...user })
    const output = captureOutput(child)
    await waitUntilReady('PgBouncer', { exited, output }, () =>
      Promise.resolve(output.some((line) => line.includes('process up'))),
    )
    return { child, stop }
  }

  await writeFile(join(folder, 'users.txt'), `"postgres" "${pooled.password}"\n`)
  await configure(url)
  if (user) {
    for (const name of ['', 'users.txt', 'pgbouncer.ini']) {
      await chown(join(folder, name), user.uid, user.gid)
    }
  }
  let running = await start()
  return {
    url: pooled.href,
    async restart() {
      await running.stop()
      running = await start()
    },
    /** As the callback of a failover manager does it: another server, and a reload. */
    async pointTo(server) {
      await configure(server.url)
      running.child.kill('SIGHUP')
    },
  }
}

function settingsFor({ hostname, port: target }, folder, port) {
  return `[databases]
* = host=${hostname} port=${target}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
default_pool_size = 20
max_client_conn = 400
server_login_retry = 1
server_connect_timeout = 2
`
}
