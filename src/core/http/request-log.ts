import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import type { ApiEnvironment } from '@/core/http/context'
import { log, logDestination } from '@/core/log'
import { singleton } from '@/core/singleton'

type RequestLine = {
  requestId: string
  method: string
  /** The pattern of a route, or the path of a page. */
  route: string
  status: number
  /** When it began, by performance.now(). */
  start: number
  userId: string | undefined
}

export const requestLog = createMiddleware<ApiEnvironment>(async (c, next) => {
  const start = performance.now()
  await next()
  logRequest({
    requestId: c.get('requestId'),
    method: c.req.method,
    route: routePath(c, -1),
    status: c.res.status,
    start,
    userId: c.get('userId'),
  })
})

/** As many characters as are written at once, and the milliseconds that a line may wait for it. */
const block = 32_768
const patience = 50

const pending = singleton('request-log', () => ({
  text: '',
  shows: { info: log().isLevelEnabled('info'), error: log().isLevelEnabled('error') },
}))

/**
 * Written as pino would write it, from numbers and plain words alone, and handed over in blocks:
 * a call of the logger for each request would cost as much as the request. `route` must need no
 * escaping; `asRoute` makes it so.
 */
export function logRequest(line: RequestLine): void {
  const { requestId, method, route, status, start, userId } = line
  const level = status >= 500 ? 'error' : 'info'
  if (!pending.shows[level]) return
  if (pending.text === '') setTimeout(flushRequestLog, patience).unref()
  const end = performance.now()
  const time = Math.round(performance.timeOrigin + end)
  const took = Math.round((end - start) * 1000) / 1000
  const user = userId === undefined ? '' : `"userId":"${userId}",`
  pending.text += `{"level":"${level}","time":${time},"requestId":"${requestId}","method":"${method}","route":"${route}","status":${status},"milliseconds":${took},${user}"msg":"request"}\n`
  if (pending.text.length > block) flushRequestLog()
}

export function flushRequestLog(): void {
  if (pending.text !== '') logDestination().write(pending.text)
  pending.text = ''
}

/** A path that a caller chose, as text that can stand in a line. Without its query: tokens. */
export function asRoute(url: string): string {
  const path = url.split('?', 1)[0] ?? ''
  return /^[\w\-./~%]*$/.test(path) ? path : JSON.stringify(path).slice(1, -1)
}
