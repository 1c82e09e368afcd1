import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onShutdown, startProcess } from '../../../scripts/processes.mjs'
import {
  acceptsConnections,
  captureOutput,
  findProgram,
  waitUntilReady,
} from '../../../scripts/services/programs.mjs'

export function findHaproxy() {
  return findProgram('haproxy', ['/usr/sbin', '/opt/homebrew/bin', '/usr/local/bin'])
}

/** Starts HAProxy with this configuration, which listens on the port. */
export async function startHaproxy(program, configuration, port) {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-haproxy-'))
  const removeFolder = onShutdown(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, configuration)
  const server = startProcess(program, ['-db', '-f', file], { stopSignal: 'SIGTERM' })
  const output = captureOutput(server.child)
  await waitUntilReady('HAProxy', { exited: server.exited, output }, () => acceptsConnections(port))
  return {
    output,
    async stop() {
      await server.stop()
      await removeFolder()
    },
  }
}
