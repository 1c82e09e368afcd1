import { createMiddleware } from 'hono/factory'
import { deny } from '@/core/guard/admit'
import type { ApiEnvironment } from '@/core/http/context'
import { scopeOf } from '@/core/http/identify'
import { isSameOrigin } from '@/core/http/origin-evidence'
import { Problem } from '@/core/http/problem'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Only a live bearer token exempts: a dead one would let a forged header open the door. */
export const sameOrigin = createMiddleware<ApiEnvironment>(async (c, next) => {
  if (safeMethods.has(c.req.method)) return next()
  const evidence = { site: c.req.header('sec-fetch-site'), origin: c.req.header('origin') }
  if (isSameOrigin(evidence)) return next()
  const scope = await scopeOf(c)
  if (scope.bearer) return next()
  await deny(scope, 'interface', 'cross_origin')
  throw new Problem('cross_origin')
})
