import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import { getCachedSession, loadSession } from '#auth/sessions/cache'
import { bearerToken, cacheKey, cookieNames, cookieToken } from '#auth/sessions/cookie'
import { type CachedSession, publicSession } from '#auth/sessions/read'
import { isDatabaseUnavailable } from '#db/errors'
import { whenHealthy, whenReachable } from '#db/health'
import { apiHeaders, requestIdFrom } from '#http/headers'
import { problemBody, problemHeaders } from '#http/problems'
import { logFailure, logRequest, requestKind } from '#http/request-log'
import { openRequest } from '#log/current-request'

type FastPath = (request: IncomingMessage, response: ServerResponse) => boolean

type Exchange = {
  headers: PlainHeaders
  start: number
  respond: (body: string, userId?: string) => void
  respondUnavailable: (error: unknown) => void
  /** Passes the request to the API. */
  fallBack: () => void
}

/** Returns whether the request was, or will be, answered. */
type Handler = (exchange: Exchange) => boolean

/**
 * Answers the plain cases of the session and health endpoints without a Request and a Response
 * object. Every other case goes to the API, whose response is the same; a test compares them.
 */
export function fastPath(authUrl: string, apiListener: RequestListener): FastPath {
  const headers = Object.entries({
    ...apiHeaders(authUrl),
    'content-type': 'application/json',
    'content-length': '',
    'x-request-id': '',
  }).flat()
  const lengthIndex = headers.length - 3
  const idIndex = headers.length - 1

  const unavailableHeaders = {
    ...apiHeaders(authUrl),
    ...problemHeaders('database_unreachable'),
  }

  const session = { ...kindsOf('/api/auth/session'), handle: sessionHandler(authUrl) }
  const health = { ...kindsOf('/api/health'), handle: handleHealth }

  return (request, response) => {
    const { url, method } = request
    const fast = url === '/api/auth/session' ? session : url === '/api/health' ? health : undefined
    if (fast === undefined || method !== 'GET') return false
    const start = performance.now()
    const plain = readPlainHeaders(request.rawHeaders)
    if (plain === undefined) return false
    let assignedId: string | undefined
    let close: (() => void) | undefined
    const requestIdOf = () => (assignedId ??= requestIdFrom(plain.requestId))

    const respond = (body: string, userId?: string) => {
      close?.()
      const requestId = requestIdOf()
      // Written before this returns, so one array serves all requests.
      headers[lengthIndex] = String(Buffer.byteLength(body))
      headers[idIndex] = requestId
      response.writeHead(200, headers)
      response.write(body)
      endLater(response)
      logRequest(fast.kind, { requestId, start, userId })
    }
    const respondUnavailable = (error: unknown) => {
      close?.()
      const requestId = requestIdOf()
      logFailure(error, 'request failed', { requestId })
      const body = JSON.stringify(problemBody('database_unreachable', requestId))
      const length = { 'content-length': Buffer.byteLength(body), 'x-request-id': requestId }
      response.writeHead(503, { ...unavailableHeaders, ...length })
      response.end(body)
      logRequest(fast.unavailable, { requestId, start, userId: undefined })
    }
    const fallBack = () => {
      close?.()
      apiListener(request, response)
    }
    const handled = fast.handle({ headers: plain, start, respond, respondUnavailable, fallBack })
    if (handled && !response.headersSent) {
      close = openRequest({ requestId: requestIdOf(), method, path: fast.route })
    }
    return handled
  }
}

/** A token that is not live, and a session that is due for an extension, are left to the API. */
function sessionHandler(authUrl: string): Handler {
  const { session: cookieName } = cookieNames(authUrl)

  return (exchange) => {
    const { headers, start, respond, respondUnavailable, fallBack } = exchange
    if (headers.authorization === undefined && headers.cookie === undefined) {
      // `null` must not hide an unavailable database.
      return whenReachable(start, () => respond('null'), fallBack)
    }
    const token = singleToken(headers, cookieName)
    if (token === undefined) return false
    const key = cacheKey(token)
    const cached = getCachedSession(key, start)
    if (cached) return respondWith(cached, exchange)
    loadSession(key).then(
      (loaded) => {
        if (!loaded || !respondWith(loaded, exchange)) fallBack()
      },
      // The API would wait for the database once more.
      (error) => (isDatabaseUnavailable(error) ? respondUnavailable(error) : fallBack()),
    )
    return true
  }
}

function respondWith(cached: CachedSession, { start, respond }: Exchange): boolean {
  if (start >= cached.extendFrom) return false
  cached.body ??= JSON.stringify(publicSession(cached.session))
  respond(cached.body, cached.session.user.id)
  return true
}

/** Undefined if the request could have two tokens: then a live bearer token has to be found first. */
function singleToken(
  { authorization, cookie }: PlainHeaders,
  cookieName: string,
): string | undefined {
  if (authorization === undefined) return cookieToken(cookie, cookieName)
  return cookie?.includes(cookieName) ? undefined : bearerToken(authorization)
}

const handleHealth: Handler = ({ start, respond, fallBack }) =>
  whenHealthy(start, () => respond('{"status":"ok"}'), fallBack)

const unended: ServerResponse[] = []

/**
 * The client has the whole response once it is written, because the length is declared. Node's work
 * at the end of a response is done for all responses of a turn together: it saves a fifth of the
 * cost.
 */
function endLater(response: ServerResponse): void {
  if (unended.push(response) === 1) setImmediate(endAll)
}

function endAll(): void {
  for (const response of unended.splice(0)) response.end()
}

function kindsOf(route: string) {
  return {
    route,
    kind: requestKind('GET', route, 200),
    unavailable: requestKind('GET', route, 503),
  }
}

type PlainHeaders = {
  requestId: string | undefined
  cookie: string | undefined
  authorization: string | undefined
  /** Not used; two of them are refused. */
  host: string | undefined
}

/**
 * The headers that the fast path needs, in one pass over the raw list: `request.headers` would first
 * build an object of all. Undefined if the request needs the API, such as one with a body, an Origin
 * or a repeated header.
 */
function readPlainHeaders(rawHeaders: readonly string[]): PlainHeaders | undefined {
  if (rawHeaders.length > 200) return undefined
  const plain: PlainHeaders = {
    requestId: undefined,
    cookie: undefined,
    authorization: undefined,
    host: undefined,
  }
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const field = fieldOf(rawHeaders[index] ?? '')
    if (field === undefined) continue
    if (field === 'needsApi' || plain[field] !== undefined) return undefined
    plain[field] = rawHeaders[index + 1]
  }
  return plain
}

/** Compares the length first: most headers are none of these and need no lower-casing. */
function fieldOf(name: string): keyof PlainHeaders | 'needsApi' | undefined {
  switch (name.length) {
    case 4:
      return isNamed(name, 'host') ? 'host' : undefined
    case 6:
      if (isNamed(name, 'cookie')) return 'cookie'
      return isNamed(name, 'origin') ? 'needsApi' : undefined
    case 12:
      return isNamed(name, 'x-request-id') ? 'requestId' : undefined
    case 13:
      return isNamed(name, 'authorization') ? 'authorization' : undefined
    case 14:
      return isNamed(name, 'content-length') ? 'needsApi' : undefined
    case 17:
      return isNamed(name, 'transfer-encoding') ? 'needsApi' : undefined
  }
}

function isNamed(name: string, lower: string): boolean {
  return name === lower || name.toLowerCase() === lower
}
