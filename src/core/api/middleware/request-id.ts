import { createMiddleware } from 'hono/factory'
import { requestIdFrom } from '@/core/http/headers'
import type { ApiEnvironment } from '@/core/http/scope'
import { runInRequest } from '@/core/log/current-request'

export const requestId = createMiddleware<ApiEnvironment>(async (c, next) => {
  const id = requestIdFrom(c.req.header('x-request-id'))
  c.set('requestId', id)
  c.header('x-request-id', id)
  await runInRequest({ requestId: id, method: c.req.method, path: c.req.path }, next)
})
