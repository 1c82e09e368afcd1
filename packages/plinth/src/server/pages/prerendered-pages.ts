import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { cookieOptions } from '#auth/sessions/cookie'
import { nodeScope } from '#auth/sessions/scope'
import { appFolder } from '#config/app-folder'
import type { Env } from '#config/env'
import { isDatabaseUnavailable } from '#db/errors'
import { flashCookieName, readFlashCookie } from '#guard/flash'
import { isPrefetch } from '#http/headers'
import { unmatchedRoute } from '#http/request-log'
import {
  type Fields,
  findPage,
  type RenderInput,
  type RequestContext,
  type Scope,
} from '#http/scope'
import { withSiteTags } from '#http/site-tags'
import { acceptsGzip, nextHeader, type Render, sendPage } from '#server/pages/render-cache'
import type { DeferredValue } from '#universal/deferred-value'

type LoaderTree = [
  segment: string,
  parallelRoutes: Record<string, LoaderTree>,
  files: { page?: [load: () => unknown, path: string] },
]

type Entry = {
  routeModule?: {
    userland?: { loaderTree?: LoaderTree }
    /** A route handler has it, because its code is loaded asynchronously. */
    ensureUserland?: () => Promise<void>
  }
}

/**
 * Evaluates every page module, so that each `page()` is in the page registry before the first
 * request. Next loads its entries at start too, but a page module only when the page is rendered.
 */
export async function loadPages(folder = join(appFolder(), '.next/server')): Promise<void> {
  const require = createRequire(join(folder, 'app-paths-manifest.json'))
  const manifest = readFileSync(join(folder, 'app-paths-manifest.json'), 'utf8')
  for (const file of Object.values<string>(JSON.parse(manifest))) {
    const entry: Entry = await require(join(folder, file))
    await entry.routeModule?.ensureUserland?.()
    const tree = entry.routeModule?.userland?.loaderTree
    if (tree) await loadPage(tree)
  }
}

async function loadPage([, parallelRoutes, { page }]: LoaderTree): Promise<void> {
  await page?.[0]()
  for (const tree of Object.values(parallelRoutes)) await loadPage(tree)
}

type RoutesManifest = Record<'staticRoutes' | 'dynamicRoutes', { page: string; regex: string }[]>

/** Finds the route of a path, such as `/users/[id]`: one of a fixed number, for the metrics. */
export function pageRoutes(folder = appFolder()): (path: string) => string {
  const manifest = readFileSync(join(folder, '.next/routes-manifest.json'), 'utf8')
  const { staticRoutes, dynamicRoutes }: RoutesManifest = JSON.parse(manifest)
  const fixed = new Set(['/', ...staticRoutes.map(({ page }) => page)])
  const files = new Set(readdirSync(join(folder, 'public'), { recursive: true }).map(urlPath))
  const patterns = dynamicRoutes.map(({ page, regex }) => ({ page, pattern: new RegExp(regex) }))
  return (path) => {
    if (fixed.has(path)) return path
    if (files.has(path) || path.startsWith('/_next/static/')) return 'static'
    return patterns.find(({ pattern }) => pattern.test(path))?.page ?? unmatchedRoute
  }
}

function urlPath(file: string | Buffer): string {
  return `/${String(file).replaceAll('\\', '/')}`
}

/**
 * Prerendered pages with the tags that need AUTH_URL, kept in memory. Next still responds to its
 * client, which asks for parts of pages. The inline scripts stay the same, and so do their hashes.
 */
export function servePrerendered(
  render: Render,
  paths: readonly string[],
  authUrl: string,
): Render {
  const pages = new Map(
    // Next's own pages for errors have a path that starts with an underscore.
    paths.filter((path) => !path.startsWith('/_')).map((path) => [path, readPage(path, authUrl)]),
  )
  return async (request, response) => {
    const { method = '', url = '/', headers } = request
    const page = pages.get(url.split('?', 1)[0] ?? '/')
    const isDocument = method === 'GET' || method === 'HEAD'
    if (!page || !isDocument || Object.keys(headers).some((name) => nextHeader.test(name))) {
      return render(request, response)
    }
    if (headers['if-none-match'] === page.headers.etag) response.writeHead(304, page.headers).end()
    else await sendPage(response, page, acceptsGzip(request))
  }
}

function readPage(path: string, authUrl: string) {
  const url = new URL(path === startPage ? '/' : path, authUrl).href
  const body = Buffer.from(withSiteTags(readHtml(path), url))
  return { body, headers: { ...sharedHeaders, etag: etagOf(body) } }
}

/** Also served at the root if no module has a page there. */
const startPage = '/start'

function readHtml(path: string): string {
  const folder = join(appFolder(), '.next/server/app')
  const read = (name: string) => readFileSync(join(folder, `${name}.html`), 'utf8')
  if (path !== '/') return read(path)
  try {
    return read('index')
  } catch {
    return read(startPage)
  }
}

/** As Next sends them. */
const sharedHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 's-maxage=31536000',
  vary: 'rsc, next-router-state-tree, next-router-prefetch, next-router-segment-prefetch, Accept-Encoding',
}

/** Weak, because the body may be compressed. */
function etagOf(body: Buffer): string {
  return `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
}

/**
 * Loads a page's data before Next renders it. The page itself reports errors, except an unavailable
 * database, which is thrown.
 */
export async function preloadPage(
  request: IncomingMessage,
  context: RequestContext,
  requestId: string,
): Promise<Preloaded> {
  const { url = '/', method, headers } = request
  // A POST changes data first, and a prefetch needs less than a page.
  if (method !== 'GET' && method !== 'HEAD') return {}
  if (isPrefetch((name) => headers[name])) return {}
  const [path = '/', search] = splitOnce(url, '?')
  const page = findPage(path)
  if (!page) return {}
  context.scope = await nodeScope(request, requestId)
  context.userId = context.scope.session?.user.id
  const pageRequest = { params: page.params, query: queryFields(search) }
  const data = page.preload(context.scope, pageRequest)
  context.preloaded = { by: page.preload, request: pageRequest, data }
  try {
    return { input: renderInput((await data) as LoadedPage) }
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    return { refusal: error }
  }
}

type Preloaded = {
  /** What a page with a render cache is rendered from. */
  input?: RenderInput | undefined
  /** What `load`, or the page's policy, threw. */
  refusal?: unknown
}

type LoadedPage = Omit<RenderInput, 'session'> & { scope: Scope; renderCache: boolean }

/** Undefined if a deferred part is still loading, which will be streamed. */
function renderInput({
  scope,
  params,
  query,
  data,
  renderCache,
}: LoadedPage): RenderInput | undefined {
  if (!renderCache) return undefined
  const parts = Object.entries(data ?? {})
  if (parts.some(([, part]) => isDeferred(part) && !part.resolved)) return undefined
  const values = parts.map(([name, part]) => [name, isDeferred(part) ? part.resolved : part])
  return { session: scope.session, params, query, data: values }
}

function isDeferred(part: unknown): part is DeferredValue<unknown> {
  return (part as DeferredValue<unknown> | undefined)?.promise instanceof Promise
}

/** In the format of Next's `searchParams`. */
function queryFields(search: string | undefined): Fields {
  const fields: Fields = {}
  if (!search) return fields
  for (const [name, value] of new URLSearchParams(search)) {
    // Added by Next's client to its own requests.
    if (name === '_rsc') continue
    const previous = Object.hasOwn(fields, name) ? fields[name] : undefined
    fields[name] = previous === undefined ? value : [previous, value].flat()
  }
  return fields
}

function splitOnce(text: string, separator: string): [string, string?] {
  const index = text.indexOf(separator)
  return index === -1 ? [text] : [text.slice(0, index), text.slice(index + 1)]
}

/** Gives a page that is opened the message to show. A prefetch or HEAD leaves it for later. */
export function takeFlash(
  { method, headers, url = '/' }: IncomingMessage,
  context: RequestContext,
  { AUTH_URL }: Env,
): void {
  if (method !== 'GET' || isPrefetch((name) => headers[name])) return
  if (!findPage(url.split('?', 1)[0] ?? '/')) return
  context.flash = readFlashCookie(headers.cookie, AUTH_URL)
  // Next renders the page that an action redirects to into the response of the action.
  if (context.flash && context.original) context.original.flashShown = true
}

/** Before the headers are sent. Any status but 200 means that the message was not shown. */
export function clearFlash(
  response: ServerResponse,
  status: number,
  { flash, flashShown, original }: RequestContext,
  settings: Env,
): void {
  const name = flashCookieName(settings.AUTH_URL)
  if (flashShown) removeCookie(response, name)
  if (flash && !original && status === 200) {
    const { secure, sameSite } = cookieOptions(settings)
    const attributes = `Max-Age=0; Path=/; SameSite=${sameSite}${secure ? '; Secure' : ''}`
    response.appendHeader('set-cookie', `${name}=; ${attributes}`)
  }
}

function removeCookie(response: ServerResponse, name: string): void {
  const cookies = [response.getHeader('set-cookie') ?? []].flat().map(String)
  const others = cookies.filter((cookie) => !cookie.startsWith(`${name}=`))
  response.removeHeader('set-cookie')
  if (others.length > 0) response.setHeader('set-cookie', others)
}
