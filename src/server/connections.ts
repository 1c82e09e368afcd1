import type { Server } from 'node:http'
import type { Socket } from 'node:net'

const connectionsOf = new WeakMap<Server, Set<Socket>>()

export function trackConnections(server: Server): void {
  const connections = new Set<Socket>()
  connectionsOf.set(server, connections)
  server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
}

/** The connections that wait for the client to take more of a response. */
export function sendingConnections(server: Server): Socket[] {
  const connections = connectionsOf.get(server) ?? []
  return [...connections].filter(({ writableLength }) => writableLength > 0)
}
