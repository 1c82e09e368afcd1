import { performance } from 'node:perf_hooks'
import type { Hono } from 'hono'
import { cors as honoCors } from 'hono/cors'
import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import { apiScope } from '#auth/sessions/scope'
import { env } from '#config/env'
import { deny } from '#guard/authorize'
import type { ApiContext, ApiEnvironment } from '#http/api-context'
import { apiHeaders, isSameOrigin, requestIdFrom, safeMethods, trustedCaller } from '#http/headers'
import { readBodyUpTo } from '#http/input'
import { Problem, problemResponse } from '#http/problems'
import { logRequest, requestKind } from '#http/request-log'
import { currentRequest, runInRequest } from '#log/current-request'

export const requestId = createMiddleware<ApiEnvironment>(async (c, next) => {
  const id = requestIdFrom(c.req.header('x-request-id'))
  c.set('requestId', id)
  c.header('x-request-id', id)
  const { method, path } = c.req
  const header = trustedCaller((name) => c.req.header(name))
  await runInRequest({ requestId: id, method, path, header }, next)
})

export const requestLog = createMiddleware<ApiEnvironment>(async (c, next) => {
  const start = performance.now()
  await next()
  const route = routePath(c, -1)
  const pattern = route === '/*' ? '/api/*' : route
  const kind = requestKind(c.req.method, route, c.res.status, pattern)
  const span = currentRequest()?.span
  logRequest(kind, { requestId: c.get('requestId'), start, userId: c.get('userId'), span })
})

export const headers = createMiddleware<ApiEnvironment>(async (c, next) => {
  for (const [name, value] of Object.entries(apiHeaders(env().AUTH_URL))) c.header(name, value)
  await next()
})

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

/** Only a live bearer token is exempt: any caller can send a dead one. */
export const sameOrigin = createMiddleware<ApiEnvironment>(async (c, next) => {
  if (safeMethods.has(c.req.method)) return next()
  const evidence = { site: c.req.header('sec-fetch-site'), origin: c.req.header('origin') }
  if (isSameOrigin(evidence)) return next()
  const scope = await apiScope(c)
  if (scope.bearer) return next()
  await deny(scope, 'api', 'cross_origin')
  throw new Problem('cross_origin')
})

const maxBytes = 64 * 1024

/**
 * Rejects a large body by its declared length, or reads it up to the limit. Hono's own middleware
 * wraps the stream in a new Request, which needs its replacements of the global classes; Next
 * shares this process and needs the originals.
 */
export const limitBody = createMiddleware<ApiEnvironment>(async (c, next) => {
  const declared = c.req.header('content-length')
  if (declared !== undefined) {
    if (Number(declared) > maxBytes) throw new Problem('body_too_large')
  } else if (c.req.method !== 'GET' && c.req.method !== 'HEAD' && c.req.raw.body) {
    c.set('body', await readBodyUpTo(maxBytes, c.req.raw.body))
  }
  await next()
})

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** 405 or OPTIONS for a path that has other methods, else 404. */
export function unmatchedResponse(app: Hono<ApiEnvironment>): (c: ApiContext) => Response {
  return (c) => {
    const allow = allowedMethods(app, c.req.path)
    if (allow.length === 0) return problemResponse(c, new Problem('not_found'))
    const headers = { allow: allow.join(', ') }
    if (c.req.method === 'OPTIONS') return c.body(null, 204, headers)
    return problemResponse(c, new Problem('method_not_allowed', { headers }))
  }
}

function allowedMethods(app: Hono<ApiEnvironment>, path: string): string[] {
  const allowed = methods.filter((method) => {
    const [handlers] = app.router.match(method, path)
    // Middleware is registered for all methods; only a route has its own.
    return handlers.some(([[, route]]) => route.method === method)
  })
  if (allowed.length === 0) return []
  return [...allowed, ...(allowed.includes('GET') ? ['HEAD'] : []), 'OPTIONS']
}
