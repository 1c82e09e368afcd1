import { cors as honoCors } from 'hono/cors'
import { createMiddleware } from 'hono/factory'
import { env } from '@/core/config/env'
import type { ApiEnvironment } from '@/core/http/scope'

const allowOrigin = honoCors({
  origin: (origin) => origin,
  credentials: true,
  allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowHeaders: ['Authorization', 'Content-Type', 'X-Request-Id', 'X-Auth-Return-Redirect'],
  exposeHeaders: [
    'X-Request-Id',
    'Retry-After',
    'RateLimit-Limit',
    'RateLimit-Remaining',
    'RateLimit-Reset',
  ],
  maxAge: 600,
})

/** Off by default. An origin that CORS_ORIGINS does not list gets no CORS header. */
export const cors = createMiddleware<ApiEnvironment>(async (c, next) => {
  const allowed = env().CORS_ORIGINS
  if (allowed.length === 0) return next()
  c.header('vary', 'Origin', { append: true })
  const origin = c.req.header('origin')
  return origin && allowed.includes(origin) ? allowOrigin(c, next) : next()
})
