import type { IncomingMessage, ServerResponse } from 'node:http'

/** Rejects a target that is not a path, and more than 100 headers. Returns whether to continue. */
export function acceptRequest(request: IncomingMessage, response: ServerResponse): boolean {
  // Names and values alternate.
  if (request.rawHeaders.length > 200) return refuse(response, 431)
  const target = request.url ?? ''
  if (target.startsWith('/')) return true
  if (!URL.canParse(target)) return refuse(response, 400)
  // A client that uses us as a proxy sends a full URL; its host is ignored.
  const { pathname, search, protocol } = new URL(target)
  if (protocol !== 'http:' && protocol !== 'https:') return refuse(response, 400)
  request.url = pathname + search
  return true
}

function refuse(response: ServerResponse, status: 400 | 431): false {
  response.writeHead(status, { connection: 'close', 'content-length': 0 }).end()
  return false
}
