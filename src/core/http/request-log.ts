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

/** As many characters as are written at once, and the milliseconds that a line may wait for it. */
const block = 32_768
const patience = 50

const { timeOrigin } = performance

const pending = singleton('request-log', () => ({ text: '' }))

/**
 * A line as pino would write it, handed over with others: a call of the logger for each request
 * would cost as much as the request.
 */
export function logRequest(kind: RequestKind, { requestId, start, userId }: Request): void {
  if (!kind.shown) return
  if (pending.text === '') setTimeout(flushRequestLog, patience).unref()
  const end = performance.now()
  const time = Math.round(timeOrigin + end)
  // To a hundredth: the same few numbers again and again, whose texts the runtime keeps.
  const took = Math.round((end - start) * 100) / 100
  const user = userId === undefined ? '' : `,"userId":"${userId}"`
  pending.text += `${kind.text},"time":${time},"milliseconds":${took},"requestId":"${requestId}"${user}}\n`
  if (pending.text.length > block) flushRequestLog()
}

export function flushRequestLog(): void {
  if (pending.text !== '') logDestination().write(pending.text)
  pending.text = ''
}
