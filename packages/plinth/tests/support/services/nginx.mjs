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

export function findNginx() {
  return findProgram('nginx', ['/usr/sbin', '/opt/homebrew/bin', '/usr/local/bin'])
}

/** Starts nginx with these directives of its `http` block, which listen on the port. */
export async function startNginx(program, directives, port) {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-nginx-'))
  const removeFolder = onShutdown(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'nginx.conf')
  await writeFile(file, settingsFor(directives, folder))
  const server = startProcess(program, ['-c', file, '-e', 'stderr'], { stopSignal: 'SIGTERM' })
  const output = captureOutput(server.child)
  await waitUntilReady('nginx', { exited: server.exited, output }, () => acceptsConnections(port))
  return {
    output,
    async stop() {
      await server.stop()
      await removeFolder()
    },
  }
}

function settingsFor(directives, folder) {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `daemon off;
worker_processes 2;
pid ${join(folder, 'nginx.pid')};
${process.getuid?.() === 0 ? 'user root;' : ''}
events {}
http {
access_log off;
${temporary.map((name) => `${name}_temp_path ${join(folder, name)};`).join('\n')}
${directives}
}
`
}
