import { cors } from 'hono/cors'
import { createMiddleware } from 'hono/factory'
import { env } from '@/core/env'
import type { ApiEnvironment } from '@/core/http/context'

const allow = cors({
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

/** Off unless CORS_ORIGINS names the origin; any other gets no CORS header at all. */
export const crossOrigin = createMiddleware<ApiEnvironment>(async (c, next) => {
  const allowed = env().CORS_ORIGINS
  if (allowed.length === 0) return next()
  c.header('vary', 'Origin', { append: true })
  const origin = c.req.header('origin')
  return origin && allowed.includes(origin) ? allow(c, next) : next()
})
