import { createServer, type RequestListener, type Server } from 'node:http'

const seconds = 1000

/** With limits per connection, so that slow or endless requests cannot pile up. */
export function httpServer(listener: RequestListener): Server {
  const server = createServer(
    {
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

/** Stops accepting connections and waits for running requests, up to the timeout. */
export function drain(server: Server, timeoutMs = 10 * seconds): Promise<void> {
  return new Promise((resolve) => {
    const timeout = setTimeout(() => server.closeAllConnections(), timeoutMs)
    const sweep = setInterval(() => server.closeIdleConnections(), 50)
    server.close(() => {
      clearTimeout(timeout)
      clearInterval(sweep)
      resolve()
    })
  })
}
