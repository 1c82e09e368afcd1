import { env } from '@/core/config/env'
import type { ApiContext } from '@/core/http/scope'

type Evidence = { site: string | undefined; origin: string | undefined }

export const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * A browser sends the cookie with requests that other sites trigger, and adds these headers to
 * them. Without either header the caller is not a browser, and there is no user to trick.
 */
export function isSameOrigin({ site, origin }: Evidence): boolean {
  if (site === 'same-origin' || site === 'none') return true
  if (site === undefined && origin === undefined) return true
  const { ownOrigins, CORS_ORIGINS } = env()
  return origin !== undefined && [...ownOrigins, ...CORS_ORIGINS].includes(origin)
}

/**
 * An image or a frame in a page, also one of ours, would run an export in the name of the user who
 * opens the page. Navigations and our own scripts are allowed. A caller that is not a browser sends
 * neither header.
 */
export function isEmbedded(c: ApiContext): boolean {
  const destination = c.req.header('sec-fetch-dest')
  if (destination === 'document') return false
  if (destination !== undefined && destination !== 'empty') return true
  const evidence = { site: c.req.header('sec-fetch-site'), origin: c.req.header('origin') }
  return !isSameOrigin(evidence)
}

/**
 * The origin under which the caller reaches us. Without AUTH_URL this machine has two names, and
 * cookies set under one are not sent to the other.
 */
export function ownOrigin(c: ApiContext): string {
  const { AUTH_URL, ownOrigins } = env()
  const host = c.req.header('host')
  return ownOrigins.find((origin) => new URL(origin).host === host) ?? AUTH_URL
}

/** Where our own pages lead after sign-in, sign-up and reset. The API's default stays `/`. */
export function callbackUrlOrHome(requested: string | undefined, authUrl: string): string {
  const url = safeCallbackUrl(requested, authUrl)
  return url === '/' && requested !== '/' ? '/home' : url
}

/** A path on this origin. Any other URL, and anything that is not a URL, becomes `/`. */
export function safeCallbackUrl(requested: string | undefined, authUrl: string): string {
  const { origin } = new URL(authUrl)
  // A browser drops control characters and reads a backslash as a slash.
  if (requested === undefined || /[\p{Cc}\\]/u.test(requested)) return '/'
  if (!URL.canParse(requested, origin)) return '/'
  const url = new URL(requested, origin)
  if (url.origin !== origin || url.username !== '' || url.password !== '') return '/'
  const path = url.pathname + url.search + url.hash
  // A blob: URL has our origin too, and its path is another URL.
  return /^\/(?!\/)/.test(path) ? path : '/'
}
