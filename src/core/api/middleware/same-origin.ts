import { createMiddleware } from 'hono/factory'
import { apiScope } from '@/core/auth/sessions/api-scope'
import { deny } from '@/core/guard/authorize'
import { isSameOrigin, safeMethods } from '@/core/http/origin'
import { Problem } from '@/core/http/problems'
import type { ApiEnvironment } from '@/core/http/scope'

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
