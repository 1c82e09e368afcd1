import type { IncomingMessage } from 'node:http'
import { nodeScope } from '#auth/sessions/scope'
import { isDatabaseUnavailable } from '#db/errors'
import { isPrefetch } from '#http/headers'
import { type Fields, findPage, type RenderInput } from '#http/page-registry'
import type { RequestContext } from '#http/request-context'
import type { Scope } from '#http/scope'
import type { DeferredValue } from '#universal/deferred-value'

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
  /** The input of a page with a render cache. */
  input?: RenderInput | undefined
  /** The error that `load`, or the page's policy, threw. */
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
