import { once } from 'node:events'
import { connect, createServer } from 'node:net'

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
