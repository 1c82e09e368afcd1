import { performance } from 'node:perf_hooks'
import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import { logRequest, requestKind } from '@/core/http/request-log'
import type { ApiEnvironment } from '@/core/http/scope'

export const requestLog = createMiddleware<ApiEnvironment>(async (c, next) => {
  const start = performance.now()
  await next()
  const kind = requestKind(c.req.method, routePath(c, -1), c.res.status)
  logRequest(kind, { requestId: c.get('requestId'), start, userId: c.get('userId') })
})
