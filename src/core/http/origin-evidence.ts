import { env } from '@/core/env'

type Evidence = { site: string | undefined; origin: string | undefined }

/**
 * A browser adds the cookie to whatever another site makes it send, and also tells where the
 * request came from. Neither header: not a browser, so there is nobody to be tricked.
 */
export function isSameOrigin({ site, origin }: Evidence): boolean {
  if (site === 'same-origin' || site === 'none') return true
  if (site === undefined && origin === undefined) return true
  const { ownOrigins, CORS_ORIGINS } = env()
  return origin !== undefined && [...ownOrigins, ...CORS_ORIGINS].includes(origin)
}
