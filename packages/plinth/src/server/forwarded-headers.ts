import type { IncomingMessage } from 'node:http'
import { isSentAgain } from '#http/request-context'

/** The headers by which a proxy reports about the client. Next believes them from any caller. */
const reported = /^(forwarded|x-forwarded-.+|x-real-ip)$/
/** Next's own, about an action that it sends to another page. */
const internal = 'x-action-forwarded'

/** Drops what only a trusted proxy, or this server itself, may say. */
export function dropUntrustedHeaders(request: IncomingMessage, trustsProxy: boolean): void {
  const isUntrusted = (name: string) => name === internal || (!trustsProxy && reported.test(name))
  const untrusted = Object.keys(request.headers).filter(isUntrusted)
  if (untrusted.length === 0 || isSentAgain(request)) return
  for (const name of untrusted) delete request.headers[name]
  // The API reads these. Names and values alternate.
  const raw = request.rawHeaders
  request.rawHeaders = raw.filter((_, index) => {
    const name = raw[index - (index % 2)] ?? ''
    return !isUntrusted(name.toLowerCase())
  })
}
