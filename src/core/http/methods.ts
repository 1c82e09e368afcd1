import type { Hono } from 'hono'
import { answerProblem } from '@/core/http/answer-problem'
import type { ApiContext, ApiEnvironment } from '@/core/http/context'
import { Problem } from '@/core/http/problem'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** What stands behind the routes: other methods of a known path, and paths nobody knows. */
export function answerUnmatched(app: Hono<ApiEnvironment>): (c: ApiContext) => Response {
  return (c) => {
    const allow = allowedMethods(app, c.req.path)
    if (allow.length === 0) return answerProblem(c, new Problem('not_found'))
    if (c.req.method === 'OPTIONS') return c.body(null, 204, { allow: allow.join(', ') })
    return answerProblem(
      c,
      new Problem('method_not_allowed', { headers: { allow: allow.join(', ') } }),
    )
  }
}

function allowedMethods(app: Hono<ApiEnvironment>, path: string): string[] {
  const known = methods.filter((method) => {
    const [handlers] = app.router.match(method, path)
    // Middleware is registered for all methods; only a route names its own.
    return handlers.some(([[, route]]) => route.method === method)
  })
  if (known.length === 0) return []
  return [...known, ...(known.includes('GET') ? ['HEAD'] : []), 'OPTIONS']
}
