import { once } from 'node:events'
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import { createServer } from 'node:https'
import { createCertificate } from './certificate'

export type TlsProxy = {
  cert: string
  /** Applied to the headers of every response. */
  rewriteHeaders: (headers: IncomingHttpHeaders) => OutgoingHttpHeaders
  stop(): Promise<void>
}

/** Accepts https on a local port and forwards to the target over http. */
export async function startTlsProxy(port: number, target: string): Promise<TlsProxy> {
  const { cert, key } = createCertificate()
  const running: TlsProxy = {
    cert,
    rewriteHeaders: (headers) => headers,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const server = createServer({ cert, key }, (incoming, outgoing) => {
    const { method, url, headers } = incoming
    const forwarded = request(`${target}${url}`, { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, running.rewriteHeaders(response.headers))
      response.pipe(outgoing)
    })
    incoming.pipe(forwarded)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return running
}
