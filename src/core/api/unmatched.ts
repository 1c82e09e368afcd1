import type { Hono } from 'hono'
import { Problem, problemResponse } from '@/core/http/problems'
import type { ApiContext, ApiEnvironment } from '@/core/http/scope'

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
