import { once } from 'node:events'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { startProcess } from '../processes.mjs'
import { findProgram } from './find-program.mjs'
import { captureOutput, freePort, waitUntilReady } from './readiness.mjs'

export function findRedis() {
  return findProgram('redis-server', ['/usr/bin', '/opt/homebrew/bin', '/usr/local/bin'])
}

/** Starts a Redis without persistence. */
export async function startRedis(program) {
  const port = await freePort()
  const memoryOnly = ['--save', '', '--appendonly', 'no']
  const server = startProcess(
    program,
    ['--port', String(port), '--bind', '127.0.0.1', ...memoryOnly],
    { cwd: tmpdir() },
  )
  const output = captureOutput(server.child)
  await waitUntilReady('Redis', { exited: server.exited, output }, () => isReady(port))
  const signal = (name) => server.child.kill(name)
  return { url: `redis://127.0.0.1:${port}`, signal, stop: server.stop }
}

async function isReady(port) {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    socket.write('PING\r\n')
    const [reply] = await once(socket, 'data')
    return reply.toString().startsWith('+PONG')
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
