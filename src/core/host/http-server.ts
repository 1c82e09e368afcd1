import { createServer, type RequestListener, type Server } from 'node:http'

const seconds = 1000

/** Bounds on what one connection may take, so that slow or endless requests cannot pile up. */
export function httpServer(listener: RequestListener): Server {
  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      requestTimeout: 30 * seconds,
      connectionsCheckingInterval: 5 * seconds,
      // Longer than the usual minute of a load balancer, which else reuses a closed connection.
      keepAliveTimeout: 65 * seconds,
    },
    listener,
  )
  // Next answers upgrades of its own development server, and would close all others unanswered.
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

/** Accepts nothing new and waits for what runs; what is not done by then is cut off. */
export function drain(server: Server, limit = 10 * seconds): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), limit)
    const sweep = setInterval(() => server.closeIdleConnections(), 50)
    server.close(() => {
      clearTimeout(cut)
      clearInterval(sweep)
      resolve()
    })
  })
}
