import { performance } from 'node:perf_hooks'
import { singleton } from '@/core/config/singleton'
import { isDatabaseUnavailable } from '@/core/db/errors'
import { isHealthy } from '@/core/db/health'
import { currentRequest, log, logDestination } from '@/core/log/log'
import { countInOutage, recordOutage } from '@/core/log/outage'

/** The fields that many requests share, already serialized. */
export type RequestKind = { enabled: boolean; json: string; unavailable: boolean }

type Request = { requestId: string; start: number; userId: string | undefined }

/** `route` is the pattern of a route, or the path of a page without its query, which may hold a token. */
export function requestKind(method: string, route: string, status: number): RequestKind {
  const unavailable = status === 503
  const level = unavailable ? 'warn' : status >= 500 ? 'error' : 'info'
  const json = JSON.stringify({ level, msg: 'request', method, route, status })
  return { enabled: log().isLevelEnabled(level), json: json.slice(0, -1), unavailable }
}

const maxBuffered = 256
const flushIntervalMs = 50

const { timeOrigin } = performance

type Finished = Request & { kind: RequestKind; end: number }

const finished = singleton('request-log', (): { requests: Finished[] } => ({ requests: [] }))

/** Lines are written in batches: a call of the logger per request costs as much as the request. */
export function logRequest(kind: RequestKind, { requestId, start, userId }: Request): void {
  if (kind.unavailable && countInOutage(requestId) && !log().isLevelEnabled('debug')) return
  if (!kind.enabled) return
  const { requests } = finished
  if (requests.length === 0) setTimeout(flushRequestLog, flushIntervalMs).unref()
  if (requests.push({ kind, requestId, start, userId, end: performance.now() }) === maxBuffered) {
    flushRequestLog()
  }
}

export function flushRequestLog(): void {
  const { requests } = finished
  if (requests.length === 0) return
  finished.requests = []
  logDestination().write(requests.map(formatLine).join(''))
}

/** The format of pino. */
function formatLine({ kind, requestId, start, userId, end }: Finished): string {
  const time = Math.round(timeOrigin + end)
  // Two decimals: few distinct numbers, whose text the runtime caches.
  const duration = Math.round((end - start) * 100) / 100
  const user = userId === undefined ? '' : `,"userId":"${userId}"`
  return `${kind.json},"time":${time},"milliseconds":${duration},"requestId":"${requestId}"${user}}\n`
}

type Options = {
  /** By default that of the current request. */
  requestId?: string | undefined
  /** By default `error`. */
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
