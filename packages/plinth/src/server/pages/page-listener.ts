import { randomBytes } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { configuredProviders } from '#auth/oauth/configured-providers'
import { readBuildFile } from '#config/app-folder'
import type { Env } from '#config/env'
import { isDatabaseUnavailable } from '#db/errors'
import { contentSecurityPolicy, pageHeaders, requestIdFrom, trustedCaller } from '#http/headers'
import { isPrivatePage } from '#http/page-registry'
import { openRequestContext, runInContext } from '#http/request-context'
import { logFailure, logRequest, requestKind } from '#http/request-log'
import { withSiteTags } from '#http/site-tags'
import { type CurrentRequest, runInRequest } from '#log/current-request'
import { inSpan, tracing } from '#log/trace'
import { metricsEnabled } from '#metrics/metrics'
import { buildActions, receiveAction } from '#server/pages/action-request'
import { clearFlash, takeFlash } from '#server/pages/flash-cookie'
import { pageRoutes } from '#server/pages/load-pages'
import { preloadPage } from '#server/pages/preload-page'
import { servePrerendered } from '#server/pages/prerendered-pages'
import {
  errorPage,
  type Interception,
  interceptResponse,
  isCrossOrigin,
  refuseCrossOrigin,
  refusedPages,
  refuseLargeBody,
  rejectUnreadable,
  type SentFields,
  sendTooLarge,
  sendUnreadable,
} from '#server/pages/refused-request'
import { type Render, renderCache } from '#server/pages/render-cache'
import type { StaticFiles } from '#server/static-files/serve-static-files'

/** Renders pages with Next, and sets the security headers. */
export function pageListener(
  render: Render,
  settings: Env,
  staticFiles: StaticFiles | undefined,
): RequestListener {
  const fixed = Object.entries(pageHeaders(settings.AUTH_URL))
  const prerendered = prerenderedHashes()
  const policyFor = pagePolicies(prerendered, settings)
  const respondPage = servePrerendered(render, Object.keys(prerendered), settings.AUTH_URL)
  const respondUnavailable = errorPage(
    { path: '/unavailable', status: 503, headers: { 'retry-after': retryAfterSeconds } },
    policyFor,
  )
  const refusedPage = refusedPages(policyFor)
  const respondUnsent = errorPage({ path: '/form-not-sent', status: 409 }, policyFor)
  const actions = buildActions(readBuildFile('actions.json'))
  const cache = renderCache(settings.RENDER_CACHE_MB, policyOfHashes(settings))
  const routeOf = metricsEnabled() || tracing() ? pageRoutes() : undefined

  return (request, response) => {
    const start = performance.now()
    const requestId = requestIdFrom(request.headers['x-request-id'])
    const path = request.url?.split('?', 1)[0] ?? '/'
    // Next serves its error page at this path as a 500, which any caller could then cause.
    if (path === '/_global-error') request.url = '/_not-found'
    const policy = policyFor(path)
    request.headers['x-request-id'] = requestId
    // Next decides at build time whether it compresses, and by this header whether it compresses now.
    if (settings.COMPRESSION === 'off') delete request.headers['accept-encoding']
    const context = openRequestContext(request, response)
    takeFlash(request, context, settings)
    // Next reads the nonce for its scripts from this request header; a caller must not choose it.
    request.headers['content-security-policy'] = policy
    for (const [name, value] of fixed) response.setHeader(name, value)
    response.setHeader('x-request-id', requestId)
    response.setHeader('content-security-policy', policy)
    if (isPrivatePage(path)) response.setHeader('x-robots-tag', 'noindex')
    response.once('close', () => {
      const kind = requestKind(request.method ?? 'GET', path, response.statusCode, routeOf?.(path))
      logRequest(kind, { requestId, start, userId: context.userId, span: current.span })
    })
    /** Sent without JavaScript: what was typed must not be lost with a failure. */
    let sentFields: SentFields | undefined
    const current: CurrentRequest = {
      requestId,
      method: request.method ?? 'GET',
      path,
      header: trustedCaller((name) => request.headers[name]?.toString(), context),
    }
    void runInContext(context, () => runInRequest(current, () => respond().catch(fail)))

    function fail(error: unknown): void {
      logFailure(error, 'page failed', { requestId })
      if (response.headersSent) response.end()
      else if (isDatabaseUnavailable(error)) respondUnavailable(response, sentFields)
      else response.writeHead(500).end()
    }

    async function respond(): Promise<void> {
      // A request that Next sends to this server again belongs to this request.
      Object.assign(request.headers, tracing()?.headers())
      if (isCrossOrigin(request)) {
        if (await refuseCrossOrigin(request, response, requestId)) return
      }
      if (refuseLargeBody(request, response, requestId)) return
      if (staticFiles?.mayHave(path) && (await staticFiles.respond(request, response))) return
      const received = await receiveAction(request, actions)
      if (received === 'disconnected') return
      if (received === 'unreadable') return sendUnreadable(response, requestId)
      if (typeof received === 'string') return sendTooLarge(response, requestId, received)
      sentFields = received.fields
      if (received.isUnknown) return respondUnsent(response, sentFields)
      interceptResponse(response, (status) => {
        clearFlash(response, status, context, settings)
        return (
          rejectUnreadable(request, status, { context, requestId }) ?? reportUnavailable(status)
        )
      })
      const { input, refusal } = await preloadPage(request, context, requestId)
      const refused = refusedPage(refusal)
      if (refused) return refused(response)
      const key = context.flash ? undefined : cache.keyFor(request, input)
      const isAnonymous = input?.session === undefined
      await inSpan({ name: 'render' }, async () => {
        if (key)
          await cache.respond(key, { request, response }, render, isAnonymous ? tagged : undefined)
        else await respondPage(received.request, response)
      })
    }

    function tagged(body: Buffer): Buffer {
      return Buffer.from(withSiteTags(body.toString(), new URL(path, settings.AUTH_URL).href))
    }

    /** Where Next met the unavailable database: in an action, or in a page that was not preloaded. */
    function reportUnavailable(status: number): Interception | undefined {
      if (status === 500 && current.databaseUnavailable) {
        return { status: 503, replaceWith: (sent) => respondUnavailable(sent, sentFields) }
      }
      const actionStatus = current.actionStatus ?? context.actionStatus
      if (actionStatus === undefined) return undefined
      if (context.original) context.original.actionStatus = actionStatus
      return { status: actionStatus, headers: { 'retry-after': retryAfterSeconds } }
    }
  }
}

/** A short outage is over by then. */
const retryAfterSeconds = '2'

type Hashes = Record<string, readonly string[]>

/** From the build: the hashes of the inline scripts of each prerendered page, by path. */
function prerenderedHashes(): Hashes {
  return readBuildFile('prerendered.json')
}

function fixedSources(settings: Env) {
  return {
    https: settings.AUTH_URL.startsWith('https:'),
    formTargets: configuredProviders(settings).map(({ origin }) => origin),
  }
}

function policyOfHashes(settings: Env): (hashes: readonly string[]) => string {
  const fixed = fixedSources(settings)
  return (hashes) => contentSecurityPolicy({ hashes, ...fixed })
}

function pagePolicies(prerendered: Hashes, settings: Env): (path: string) => string {
  const fixed = fixedSources(settings)
  const policyOf = policyOfHashes(settings)
  const prerenderedPolicies = new Map(
    Object.entries(prerendered).map(([path, hashes]) => [path, policyOf(hashes)]),
  )
  // Any path may be a 404 or an error, and those pages are prerendered too.
  const errorPages = [
    ...new Set([prerendered['/_not-found'], prerendered['/_global-error']].flat()),
  ]
  const hashes = errorPages.filter((hash) => hash !== undefined)
  const placeholder = '{nonce}'
  const [before, after] = contentSecurityPolicy({ nonce: placeholder, hashes, ...fixed }).split(
    placeholder,
  )
  return (path) =>
    prerenderedPolicies.get(path) ?? before + randomBytes(16).toString('base64') + after
}
