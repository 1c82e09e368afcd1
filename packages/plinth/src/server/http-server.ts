import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import { env } from '#config/env'
import { hasTooManyFields } from '#http/body-limits'
import { isDraining } from '#http/draining'
import { apiHeaders, requestIdFrom } from '#http/headers'
import { problemBody, problemHeaders } from '#http/problems'
import { logRequest, requestKind, unmatchedRoute } from '#http/request-log'
import { RequestWithChunkLimit } from '#server/chunk-limit'

const seconds = 1000

/** With limits per connection, so that slow or endless requests cannot pile up. */
export function httpServer(listener: RequestListener, stalledTimeoutMs = 30 * seconds): Server {
  const server = createServer(
    {
      IncomingMessage: RequestWithChunkLimit,
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

const checksInTimeout = 6

/**
 * Closes connections whose client has taken nothing of its response for this time: clients that
 * never read would keep their responses in memory. A response that is still computed has nothing to
 * send and is left alone.
 */
function closeStalledResponses(server: Server, timeoutMs: number): void {
  const progress = new WeakMap<Socket, { sent: string; stalledChecks: number }>()

  /** Checks are counted, not time: while this process was stopped, no client could take anything. */
  function check(): void {
    for (const socket of sendingConnections(server)) {
      const sent = sentBytes(socket)
      const last = progress.get(socket)
      if (last?.sent !== sent) progress.set(socket, { sent, stalledChecks: 0 })
      else if (last.stalledChecks + 1 >= checksInTimeout) socket.destroy()
      else last.stalledChecks += 1
    }
  }

  const timer = setInterval(check, timeoutMs / checksInTimeout).unref()
  server.once('close', () => clearInterval(timer))
}

/** The bytes of completed writes, and what is left of the current one, which may be a whole body. */
function sentBytes(socket: Socket): string {
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number } | null }
  return `${socket.bytesWritten - socket.writableLength} ${handle?.writeQueueSize}`
}

const connectionsOf = new WeakMap<Server, Set<Socket>>()

function trackConnections(server: Server): void {
  const connections = new Set<Socket>()
  connectionsOf.set(server, connections)
  server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
}

/** The connections that wait for the client to take more of a response. */
export function sendingConnections(server: Server): Socket[] {
  const connections = connectionsOf.get(server) ?? []
  return [...connections].filter(({ writableLength }) => writableLength > 0)
}

/**
 * Rejects more than 100 headers, more than 200 fields in the query, two Host headers, and a target
 * that another parser could read as another path: the API and Next each resolve dot segments and slashes in their own way. Returns
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
  // Next takes longer for a query of 7,500 fields than for 1,000 pages.
  if (hasTooManyFields(target)) {
    response.writeHead(414, { connection: 'close', 'content-length': 0 }).end()
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
  const kind = requestKind('GET', '?', 400, unmatchedRoute)
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
