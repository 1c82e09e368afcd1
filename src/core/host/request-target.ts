import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * What a server must make sure of before it looks at a request: the target is a path, and there
 * are not so many headers that some might go unread. Says whether the request can go on.
 */
export function acceptRequest(request: IncomingMessage, response: ServerResponse): boolean {
  // Twice as many entries as headers: names and values in turn.
  if (request.rawHeaders.length > 200) return refuse(response, 431)
  const target = request.url ?? ''
  if (target.startsWith('/')) return true
  if (!URL.canParse(target)) return refuse(response, 400)
  // A client that takes us for a proxy names the host as well; it may say what it likes there.
  const { pathname, search, protocol } = new URL(target)
  if (protocol !== 'http:' && protocol !== 'https:') return refuse(response, 400)
  request.url = pathname + search
  return true
}

function refuse(response: ServerResponse, status: 400 | 431): false {
  response.writeHead(status, { connection: 'close', 'content-length': 0 }).end()
  return false
}
