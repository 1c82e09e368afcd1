import type { IncomingMessage, ServerResponse } from 'node:http'
import { env } from '@/core/config/env'
import { apiHeaders, requestIdFrom } from '@/core/http/headers'
import { problemBody, problemHeaders } from '@/core/http/problems'
import { logRequest, requestKind } from '@/core/http/request-log'

/**
 * Rejects more than 100 headers, two Host headers, and a target that another parser could read as
 * another path: the API and Next each resolve dot segments and slashes in their own way. Returns
 * whether to continue.
 */
export function acceptRequest(request: IncomingMessage, response: ServerResponse): boolean {
  // Names and values alternate.
  if (request.rawHeaders.length > 200) {
    response.writeHead(431, { connection: 'close', 'content-length': 0 }).end()
    return false
  }
  const target = normalizedTarget(request.url ?? '')
  if (target === undefined || !isPlainPath(pathOf(target)) || hasTwoHosts(request)) {
    refuse(response)
    return false
  }
  request.url = target
  return true
}

/** A client that uses us as a proxy sends a full URL; its host is ignored. */
function normalizedTarget(target: string): string | undefined {
  if (target.startsWith('/')) return target
  if (!URL.canParse(target)) return undefined
  const { pathname, search, protocol } = new URL(target)
  return protocol === 'http:' || protocol === 'https:' ? pathname + search : undefined
}

function pathOf(target: string): string {
  return target.split('?', 1)[0] ?? ''
}

/** Browsers resolve dot segments and backslashes, and keep the fragment, before they send. */
function isPlainPath(path: string): boolean {
  if (path.startsWith('//') || /[\\#]/.test(path)) return false
  if (/(^|\/)(\.|%2e){1,2}(\/|$)/i.test(path)) return false
  return !path.includes('%') || isDecodable(path)
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1
}

function refuse(response: ServerResponse): void {
  const { body, headers } = malformedRequestProblem()
  response.writeHead(400, { ...headers, connection: 'close' }).end(body)
}

/** For a request that cannot become a Request, such as one with an invalid Host. */
export function malformedRequest(): Response {
  const { body, headers } = malformedRequestProblem()
  return new Response(body, { status: 400, headers })
}

/** The same, for hosts that have no Response yet. Writes the line of the request log. */
function malformedRequestProblem(): { body: string; headers: Record<string, string> } {
  const requestId = requestIdFrom(undefined)
  const kind = requestKind('GET', '?', 400)
  logRequest(kind, { requestId, start: performance.now(), userId: undefined })
  return {
    body: JSON.stringify(problemBody('bad_request', requestId)),
    headers: {
      ...apiHeaders(env().AUTH_URL),
      ...problemHeaders('bad_request'),
      'x-request-id': requestId,
    },
  }
}
