import type { IncomingMessage } from 'node:http'
import { singleton } from '@/core/singleton'

/** Random, so that no caller can name it; known to both bundles of this one process. */
const header = singleton('host.address-header', () => `x-plinth-address-${crypto.randomUUID()}`)

/** A page sees headers and no connection, so the host tells it where the request came from. */
export function tellAddress(request: IncomingMessage): void {
  const address = request.socket.remoteAddress
  if (address !== undefined) request.headers[header] = address
}

/** Undefined where Next is the host and has said nothing. */
export function addressSeenByHost(get: (name: string) => string | undefined): string | undefined {
  return get(header)
}
