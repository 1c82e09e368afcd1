import { createServer, type RequestListener, type Server, ServerResponse } from 'node:http'
import { isDraining } from '@/core/api/routes/health'
import { trackConnections } from '@/server/connections'
import { closeStalledResponses } from '@/server/stalled-responses'

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
