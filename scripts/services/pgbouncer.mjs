import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from '../ending.mjs'
import { startProcess } from '../processes.mjs'
import { findProgram } from './find-program.mjs'
import { freePort } from './port.mjs'
import { unprivilegedUser } from './unprivileged-user.mjs'
import { keepOutput, waitFor } from './wait.mjs'

export function findPgBouncer() {
  return findProgram('pgbouncer', ['/usr/sbin', '/usr/bin', '/opt/homebrew/bin', '/usr/local/bin'])
}

/** A pooler in transaction mode before the server at this URL; each query may get another session. */
export async function startPgBouncer(program, url) {
  const user = await unprivilegedUser()
  const folder = await mkdtemp(join(tmpdir(), 'plinth-pgbouncer-'))
  const removeFolder = atEnd(() => rm(folder, { recursive: true, force: true }))
  const port = await freePort()
  const settings = join(folder, 'pgbouncer.ini')
  await writeFile(join(folder, 'users.txt'), '"postgres" ""\n')
  await writeFile(settings, settingsFor(new URL(url), folder, port))
  if (user) {
    for (const name of ['', 'users.txt', 'pgbouncer.ini']) {
      await chown(join(folder, name), user.uid, user.gid)
    }
  }
  const server = startProcess(program, [settings], { cwd: folder, ...user, endSignal: 'SIGTERM' })
  const output = keepOutput(server.child)
  await waitFor('PgBouncer', { exited: server.exited, output }, () =>
    Promise.resolve(output.some((line) => line.includes('process up'))),
  )
  const pooled = new URL(url)
  pooled.port = String(port)
  return {
    url: pooled.href,
    async end() {
      await server.end()
      await removeFolder()
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
auth_type = trust
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
default_pool_size = 20
max_client_conn = 200
`
}
