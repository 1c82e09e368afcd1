import { randomUUID } from 'node:crypto'
import { createMiddleware } from 'hono/factory'
import type { ApiEnvironment } from '@/core/http/context'

/** A caller's id is kept when it is short and plain: it goes into headers and log lines. */
export function requestIdFrom(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID()
}

export const requestId = createMiddleware<ApiEnvironment>(async (c, next) => {
  const id = requestIdFrom(c.req.header('x-request-id'))
  c.set('requestId', id)
  c.header('x-request-id', id)
  await next()
})
