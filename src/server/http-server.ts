import { createServer, type RequestListener, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { isDraining } from '@/core/api/routes/health'

const seconds = 1000

/** With limits per connection, so that slow or endless requests cannot pile up. */
export function httpServer(listener: RequestListener, stalledTimeoutMs = 30 * seconds): Server {
  const server = createServer(
    {
      ServerResponse: DrainableResponse,
      maxHeaderSize: 16 * 1024,
      requestTimeout: 30 * seconds,
      connectionsCheckingInterval: 5 * seconds,
      // Longer than the usual 60 s of a load balancer, which would reuse a closed connection.
      keepAliveTimeout: 65 * seconds,
    },
    listener,
  )
  // Next handles upgrades for its development server only and would close all others.
  server.on('newListener', (event) => {
    if (event === 'upgrade') queueMicrotask(() => server.removeAllListeners('upgrade'))
  })
  server.headersTimeout = 10 * seconds
  trackConnections(server)
  closeStalledResponses(server, stalledTimeoutMs)
  return server
}

export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** While the process drains, the last response of its connection. */
class DrainableResponse extends ServerResponse {
  override writeHead(statusCode: number, ...rest: unknown[]): this {
    if (isDraining()) this.shouldKeepAlive = false
    return super.writeHead(statusCode, ...(rest as []))
  }
}

/**
 * Closes connections whose client has taken nothing of its response for this time: clients that
 * never read would keep their responses in memory. A response that is still computed has nothing to
 * send and is left alone.
 */
function closeStalledResponses(server: Server, timeoutMs: number): void {
  const progress = new WeakMap<Socket, { sent: string; since: number }>()

  function check(): void {
    const now = performance.now()
    for (const socket of sendingConnections(server)) {
      const sent = sentBytes(socket)
      const last = progress.get(socket)
      if (last?.sent !== sent) progress.set(socket, { sent, since: now })
      else if (now - last.since >= timeoutMs) socket.destroy()
    }
  }

  const timer = setInterval(check, timeoutMs / 6).unref()
  server.once('close', () => clearInterval(timer))
}

/** The bytes of completed writes, and what is left of the current one, which may be a whole body. */
function sentBytes(socket: Socket): string {
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number } | null }
  return `${socket.bytesWritten - socket.writableLength} ${handle?.writeQueueSize}`
}

const connectionsOf = new WeakMap<Server, Set<Socket>>()

function trackConnections(server: Server): void {
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
