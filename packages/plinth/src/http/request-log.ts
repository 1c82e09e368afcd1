import { performance } from 'node:perf_hooks'
import { isDatabaseUnavailable } from '#db/errors'
import { isHealthy } from '#db/health'
import { currentRequest } from '#log/current-request'
import { log, logDestination } from '#log/log'
import { countInOutage, recordOutage } from '#log/outage'
import type { RequestSpan } from '#log/trace'
import { type Counter, counter, type Histogram, histogram, observe } from '#metrics/metrics'

/** The parts that many requests share: the serialized fields of their line, and metrics if these are on. */
export type RequestKind = {
  level: 'info' | 'warn' | 'error'
  json: string
  unavailable: boolean
  requests: Counter | undefined
  durations: Histogram | undefined
  /** For the span. */
  outcome: { method: string; route: string; status: number }
}

type Request = {
  requestId: string
  start: number
  userId: string | undefined
  span?: RequestSpan | undefined
}

/**
 * `route` is the pattern of a route, or the path of a page without its query, which may hold a token.
 * `pattern` is the label of the metrics: any caller can make up paths, so it is never a path as sent.
 */
export function requestKind(
  method: string,
  route: string,
  status: number,
  pattern = route,
): RequestKind {
  const unavailable = status === 503
  const level = unavailable ? 'warn' : status >= 500 ? 'error' : 'info'
  const json = JSON.stringify({ level, msg: 'request', method, route, status })
  const labels = { method: methods.has(method) ? method : 'other', route: pattern }
  return {
    level,
    json: json.slice(0, -1),
    unavailable,
    requests: counter('http_requests_total', { ...labels, status }),
    durations: histogram('http_request_duration_seconds', labels),
    outcome: { ...labels, status },
  }
}

/** The route of all requests for paths that nothing serves. */
export const unmatchedRoute = 'unmatched'

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

const maxBuffered = 256
const flushIntervalMs = 50

const { timeOrigin } = performance

type Finished = Request & { kind: RequestKind; end: number }

const finished: { requests: Finished[] } = { requests: [] }

/**
 * The one place where a request is known to have ended. Lines are written in batches: a call of the
 * logger per request costs as much as the request.
 */
export function logRequest(kind: RequestKind, { requestId, start, userId, span }: Request): void {
  const end = performance.now()
  span?.end(kind.outcome)
  if (kind.requests) kind.requests.value += 1
  if (kind.durations) observe(kind.durations, (end - start) / 1000)
  if (kind.unavailable && countInOutage(requestId) && !log().isLevelEnabled('debug')) return
  // Not once for all: it can be changed while the process runs.
  if (!log().isLevelEnabled(kind.level)) return
  const { requests } = finished
  if (requests.length === 0) setTimeout(flushRequestLog, flushIntervalMs).unref()
  if (requests.push({ kind, requestId, start, userId, end, span }) === maxBuffered)
    flushRequestLog()
}

export function flushRequestLog(): void {
  const { requests } = finished
  if (requests.length === 0) return
  finished.requests = []
  logDestination().write(requests.map(formatLine).join(''))
}

/** The format of pino. */
function formatLine({ kind, requestId, start, userId, end, span }: Finished): string {
  const time = Math.round(timeOrigin + end)
  // Two decimals: few distinct numbers, whose text the runtime caches.
  const duration = Math.round((end - start) * 100) / 100
  const user = userId === undefined ? '' : `,"userId":"${userId}"`
  const trace = span ? `,"traceId":"${span.traceId}","spanId":"${span.spanId}"` : ''
  return `${kind.json},"time":${time},"milliseconds":${duration},"requestId":"${requestId}"${user}${trace}}\n`
}

type Options = {
  /** The default is the id of the current request. */
  requestId?: string | undefined
  /** The default is `error`. */
  level?: 'warn' | 'error'
  route?: string
}

/** An unexpected error, with its request. An outage of the database is summed up instead. */
export function logFailure(
  error: unknown,
  message: string,
  { requestId = currentRequest()?.requestId, level = 'error', ...fields }: Options = {},
): void {
  const line = { ...(requestId ? { requestId } : {}), ...fields, err: error }
  if (!isDatabaseUnavailable(error)) {
    log()[level](line, message)
    return
  }
  log().debug(line, message)
  recordOutage(error, { requestId, isAvailable: isHealthy })
}
