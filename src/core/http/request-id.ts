import { randomBytes } from 'node:crypto'
import { createMiddleware } from 'hono/factory'
import type { ApiEnvironment } from '@/core/http/context'
import { singleton } from '@/core/singleton'

/** Unique among all processes by its random part; a UUID for each request costs ten times as much. */
const sequence = singleton('request-id', () => ({
  process: randomBytes(9).toString('hex'),
  count: 0,
}))

/** A caller's id is kept when it is short and plain: it goes into headers and log lines. */
export function requestIdFrom(given: string | string[] | undefined): string {
  if (typeof given === 'string' && /^[\w.-]{1,64}$/.test(given)) return given
  sequence.count += 1
  return `${sequence.process}-${sequence.count}`
}

export const requestId = createMiddleware<ApiEnvironment>(async (c, next) => {
  const id = requestIdFrom(c.req.header('x-request-id'))
  c.set('requestId', id)
  c.header('x-request-id', id)
  await next()
})
