import { createMiddleware } from 'hono/factory'
import { env } from '@/core/env'
import type { ApiEnvironment } from '@/core/http/context'
import { bearerSession } from '@/core/http/identify'
import { Problem } from '@/core/http/problem'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

type Evidence = { site: string | undefined; origin: string | undefined }

/**
 * A browser adds the cookie to whatever another site makes it send, and also tells where the
 * request came from. Neither header: not a browser, so there is nobody to be tricked.
 */
function isSameOrigin({ site, origin }: Evidence, trusted: readonly string[]): boolean {
  if (site === 'same-origin' || site === 'none') return true
  if (site === undefined && origin === undefined) return true
  return origin !== undefined && trusted.includes(origin)
}

/** Only a live bearer token exempts: a dead one would let a forged header open the door. */
export const sameOrigin = createMiddleware<ApiEnvironment>(async (c, next) => {
  if (safeMethods.has(c.req.method)) return next()
  const { ownOrigins, CORS_ORIGINS } = env()
  const evidence = { site: c.req.header('sec-fetch-site'), origin: c.req.header('origin') }
  if (isSameOrigin(evidence, [...ownOrigins, ...CORS_ORIGINS])) return next()
  if (await bearerSession(c)) return next()
  throw new Problem('cross_origin')
})
