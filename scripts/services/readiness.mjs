import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { CommandError } from '../errors.mjs'

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

/** The preferred port of 127.0.0.1 if it is free, otherwise any free port. */
export async function freePort(preferred = 0) {
  const server = createServer()
  try {
    server.listen(preferred, '127.0.0.1')
    await once(server, 'listening')
    return server.address().port
  } catch (error) {
    if (preferred === 0 || error.code !== 'EADDRINUSE') throw error
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
