import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import type { ApiEnvironment } from '@/core/http/context'
import { log } from '@/core/log'

type RequestLine = {
  requestId: string
  method: string
  /** The pattern, or for pages the path without its query: that may hold a token. */
  route: string
  status: number
  milliseconds: number
  userId: string | undefined
}

export function logRequest(line: RequestLine): void {
  const level = line.status >= 500 ? 'error' : 'info'
  log()[level]({ ...line, milliseconds: Math.round(line.milliseconds * 1000) / 1000 }, 'request')
}

export const requestLog = createMiddleware<ApiEnvironment>(async (c, next) => {
  const start = performance.now()
  await next()
  logRequest({
    requestId: c.get('requestId'),
    method: c.req.method,
    route: routePath(c, -1),
    status: c.res.status,
    milliseconds: performance.now() - start,
    userId: c.get('userId'),
  })
})
