import type { IncomingMessage, ServerResponse } from 'node:http'
import { cookieOptions } from '@/core/auth/sessions/cookie'
import { nodeScope } from '@/core/auth/sessions/scope'
import type { Env } from '@/core/config/env'
import { isDatabaseUnavailable } from '@/core/db/errors'
import { flashCookieName, readFlashCookie } from '@/core/guard/flash'
import { isPrefetch } from '@/core/http/headers'
import {
  type Fields,
  findPage,
  type RenderInput,
  type RequestContext,
  type Scope,
} from '@/core/http/scope'
import type { DeferredValue } from '@/core/ui/page-parts'

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
