import { performance } from 'node:perf_hooks'
import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import type { ApiEnvironment } from '@/core/http/context'
import { log, logDestination } from '@/core/log'
import { singleton } from '@/core/singleton'

/** What many requests have in common, ready as text. */
export type RequestKind = { shown: boolean; text: string }

type Request = { requestId: string; start: number; userId: string | undefined }

export const requestLog = createMiddleware<ApiEnvironment>(async (c, next) => {
  const start = performance.now()
  await next()
  const kind = requestKind(c.req.method, routePath(c, -1), c.res.status)
  logRequest(kind, { requestId: c.get('requestId'), start, userId: c.get('userId') })
})

/** `route` is the pattern of a route, or the path of a page without its query: tokens. */
export function requestKind(method: string, route: string, status: number): RequestKind {
  const level = status >= 500 ? 'error' : 'info'
  const text = JSON.stringify({ level, msg: 'request', method, route, status })
  return { shown: log().isLevelEnabled(level), text: text.slice(0, -1) }
}

/** As many as are written at once, and the milliseconds that one may wait for it. */
const most = 256
const patience = 50

const { timeOrigin } = performance

type Finished = Request & { kind: RequestKind; end: number }

const finished = singleton('request-log', (): { requests: Finished[] } => ({ requests: [] }))

/**
 * Requests are put into words many at a time: a call of the logger for each would cost as much as
 * a request, and even its line alone a twentieth of one.
 */
export function logRequest(kind: RequestKind, { requestId, start, userId }: Request): void {
  if (!kind.shown) return
  const { requests } = finished
  if (requests.length === 0) setTimeout(flushRequestLog, patience).unref()
  if (requests.push({ kind, requestId, start, userId, end: performance.now() }) === most) {
    flushRequestLog()
  }
}

export function flushRequestLog(): void {
  const { requests } = finished
  if (requests.length === 0) return
  finished.requests = []
  logDestination().write(requests.map(lineOf).join(''))
}

/** As pino would write it. */
function lineOf({ kind, requestId, start, userId, end }: Finished): string {
  const time = Math.round(timeOrigin + end)
  // To a hundredth: the same few numbers again and again, whose texts the runtime keeps.
  const took = Math.round((end - start) * 100) / 100
  const user = userId === undefined ? '' : `,"userId":"${userId}"`
  return `${kind.text},"time":${time},"milliseconds":${took},"requestId":"${requestId}"${user}}\n`
}
