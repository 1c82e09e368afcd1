import { once } from 'node:events'
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import { createServer } from 'node:https'
import { selfSigned } from './certificate'

export type TlsProxy = {
  /** What to trust, to believe it. */
  cert: string
  /** What it does to the headers of every answer from now on. */
  change: (headers: IncomingHttpHeaders) => OutgoingHttpHeaders
  stop(): Promise<void>
}

/** Speaks https on that port of this machine and http with what stands behind it. */
export async function startTlsProxy(port: number, target: string): Promise<TlsProxy> {
  const { cert, key } = selfSigned()
  const running: TlsProxy = {
    cert,
    change: (headers) => headers,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const server = createServer({ cert, key }, (incoming, outgoing) => {
    const { method, url, headers } = incoming
    const passed = request(`${target}${url}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, running.change(answer.headers))
      answer.pipe(outgoing)
    })
    incoming.pipe(passed)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return running
}
