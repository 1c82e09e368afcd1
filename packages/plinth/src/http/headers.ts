import { randomBytes } from 'node:crypto'
import { isIPv4, isIPv6, SocketAddress } from 'node:net'
import { accepts } from 'hono/accepts'
import { env } from '#config/env'
import type { ApiContext } from '#http/api-context'
import type { RequestContext } from '#http/request-context'

/**
 * The other end of the connection, or behind TRUST_PROXY proxies the IP that the outermost of them
 * saw. Any caller can write further entries to the left of it. An entry that is no IP counts as the
 * proxy that passed it on, so that invented values do not get limits of their own.
 */
export function clientIp(remoteIp: string | undefined, forwardedFor: string | undefined): string {
  const forwarded = (forwardedFor ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const proxies = env().TRUST_PROXY
  const seen = proxies > 0 ? forwarded.at(-Math.min(proxies, forwarded.length)) : undefined
  return parseIp(seen) ?? parseIp(remoteIp) ?? 'unknown'
}

type ReadHeader = (name: string) => string | undefined

/**
 * Reads the headers of a caller that may say which trace a request belongs to: a proxy, or this
 * server. Any other could add to the traces of others, and decide which are kept.
 */
export function trustedCaller(
  header: ReadHeader,
  { original }: Pick<RequestContext, 'original'> = {},
): ReadHeader | undefined {
  return original || env().TRUST_PROXY > 0 ? header : undefined
}

const bracketsOrPort = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/
const mappedPrefix = /^::ffff:(?=\d+\.)/i

/** One spelling for each IP: no port, brackets or zone, IPv6 in short form, IPv4-mapped as IPv4. */
function parseIp(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const [, bracketed, withPort] = bracketsOrPort.exec(text) ?? []
  const ip = (bracketed ?? withPort ?? text).replace(/%.*$/, '').replace(mappedPrefix, '')
  if (isIPv4(ip)) return ip
  if (!isIPv6(ip)) return undefined
  return new SocketAddress({ address: ip, family: 'ipv6' }).address.replace(mappedPrefix, '')
}

/** The random part makes ids unique across processes. A UUID per request costs ten times as much. */
const sequence = {
  process: randomBytes(9).toString('hex'),
  count: 0,
}

/** Keeps the caller's id if it is short and plain, because it goes into headers and log lines. */
export function requestIdFrom(given: string | string[] | undefined): string {
  if (typeof given === 'string' && /^[\w.-]{1,64}$/.test(given)) return given
  sequence.count += 1
  return `${sequence.process}-${sequence.count}`
}

export function prefersHtml(c: ApiContext): boolean {
  const supports = ['application/json', 'text/html']
  const preferred = accepts(c, { header: 'Accept', supports, default: 'application/json' })
  return preferred === 'text/html'
}

/** Whether the page is fetched before the user opens it. */
export function isPrefetch(header: (name: string) => unknown): boolean {
  return names.some((name) => Boolean(header(name)))
}

const names = [
  'next-router-prefetch',
  'next-router-segment-prefetch',
  // Sent by browsers.
  'sec-purpose',
  'purpose',
]

function securityHeaders(authUrl: string): Record<string, string> {
  const subdomains = env().HSTS_SUBDOMAINS === 'on' ? '; includeSubDomains' : ''
  const hsts = { 'strict-transport-security': `max-age=31536000${subdomains}` }
  return { 'x-content-type-options': 'nosniff', ...(authUrl.startsWith('https:') ? hsts : {}) }
}

/** API responses are data: nothing in them may run or be framed. They are private unless a route overrides it. */
export function apiHeaders(authUrl: string): Record<string, string> {
  return {
    ...securityHeaders(authUrl),
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'private, no-store',
  }
}

/** URLs of pages may contain a token, so only the origin is sent as the referrer. */
export function pageHeaders(authUrl: string): Record<string, string> {
  return {
    ...securityHeaders(authUrl),
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  }
}

/** Browsers send violations of the policy there. */
export const cspReportPath = '/api/csp-reports'

type Sources = {
  /** For a page rendered per request: Next adds it to its scripts. */
  nonce?: string
  /** For prerendered pages: the hashes of their inline scripts. */
  hashes?: readonly string[]
  https: boolean
  /** Origins that a form redirects to: browsers apply `form-action` to redirects too. */
  formTargets?: readonly string[]
  development?: boolean
}

/** No inline script runs unless it is Next's own. */
export function contentSecurityPolicy(sources: Sources): string {
  const { nonce, hashes = [], https, formTargets = [], development } = sources
  const inlineScripts = [
    ...(nonce ? [`'nonce-${nonce}'`] : []),
    ...hashes.map((hash) => `'${hash}'`),
  ]
  const directives = {
    'default-src': ["'self'"],
    // In development React rebuilds server stacks with eval.
    'script-src': ["'self'", ...inlineScripts, ...(development ? ["'unsafe-eval'"] : [])],
    // In development Next's error overlay has inline styles.
    'style-src': ["'self'", ...(development ? ["'unsafe-inline'"] : [])],
    'style-src-attr': ["'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...(development ? ['ws:'] : [])],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'", ...formTargets],
    'frame-ancestors': ["'none'"],
    ...(https ? { 'upgrade-insecure-requests': [] } : {}),
    ...(development ? {} : { 'report-uri': [cspReportPath] }),
  }
  return Object.entries(directives)
    .map(([name, values]) => [name, ...values].join(' '))
    .join('; ')
}

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
