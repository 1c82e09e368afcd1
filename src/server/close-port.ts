import type { Server } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'

const shortTurnMs = 0.1

/**
 * The kernel resets the connections that wait to be accepted when a port is closed, and their
 * requests are lost. So the port is closed right after a short turn of the event loop that found none.
 * Until then new connections are only accepted: serving them takes time in which others arrive.
 */
export async function closePort(server: Server, maxMs = 1000): Promise<void> {
  const accepted: Socket[] = []
  const serveAccepted = holdConnections(server, accepted)
  const startedAt = performance.now()
  let before: number
  let turnStartedAt: number
  do {
    before = accepted.length
    turnStartedAt = performance.now()
    await nextTurn()
  } while (
    (accepted.length > before || performance.now() - turnStartedAt > shortTurnMs) &&
    performance.now() - startedAt < maxMs
  )
  // The method of http.Server would also close idle connections.
  NetServer.prototype.close.call(server)
  serveAccepted()
}

/** Returns a function that passes the connections to the listeners that they were kept from. */
function holdConnections(server: Server, held: Socket[]): () => void {
  const listeners = server.listeners('connection') as ((socket: Socket) => void)[]
  server.removeAllListeners('connection')
  server.on('connection', (socket) => {
    socket.once('error', () => {})
    held.push(socket)
  })
  return () => {
    server.removeAllListeners('connection')
    for (const listener of listeners) server.on('connection', listener)
    for (const socket of held) if (!socket.destroyed) server.emit('connection', socket)
  }
}
