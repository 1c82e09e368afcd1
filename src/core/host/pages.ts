import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { isUnreachable } from '@/core/db/errors'
import type { Env } from '@/core/env'
import { isFromElsewhere, refuseFromElsewhere } from '@/core/host/page-origin'
import { preparePage } from '@/core/host/prepare-page'
import { unavailablePage } from '@/core/host/unavailable-page'
import { contentSecurityPolicy } from '@/core/http/content-security-policy'
import { pageHeaders } from '@/core/http/headers'
import { openVisit } from '@/core/http/page-visit'
import { requestIdFrom } from '@/core/http/request-id'
import { logRequest, requestKind } from '@/core/http/request-log'
import { log } from '@/core/log'

type Render = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** Next's pages, with the headers that Next leaves to its host. */
export function pageListener(render: Render, settings: Env): RequestListener {
  const fixed = Object.entries(pageHeaders(settings.AUTH_URL))
  const policyFor = pagePolicies(prerenderedHashes(), settings)
  const sayUnavailable = unavailablePage(policyFor)

  return (request, response) => {
    const start = performance.now()
    const requestId = requestIdFrom(request.headers['x-request-id'])
    const path = request.url?.split('?', 1)[0] ?? '/'
    const policy = policyFor(path)
    request.headers['x-request-id'] = requestId
    const visit = openVisit(request, response)
    // Next reads the nonce for its scripts from the request; a caller must not choose it.
    request.headers['content-security-policy'] = policy
    for (const [name, value] of fixed) response.setHeader(name, value)
    response.setHeader('x-request-id', requestId)
    response.setHeader('content-security-policy', policy)
    response.once('close', () => {
      const kind = requestKind(request.method ?? 'GET', path, response.statusCode)
      logRequest(kind, { requestId, start, userId: visit.userId })
    })
    answer().catch((error) => {
      log().error({ requestId, err: error }, 'page failed')
      if (response.headersSent) response.end()
      else if (isUnreachable(error)) sayUnavailable(response)
      else response.writeHead(500).end()
    })

    async function answer(): Promise<void> {
      if (isFromElsewhere(request)) {
        if (await refuseFromElsewhere(request, response, requestId)) return
      }
      await preparePage(request, visit, requestId)
      await render(request, response)
    }
  }
}

type Hashes = Record<string, readonly string[]>

/** Written by the build: the inline scripts of every page that it rendered, by path. */
function prerenderedHashes(): Hashes {
  return JSON.parse(readFileSync(join(process.cwd(), 'dist/prerendered.json'), 'utf8'))
}

function pagePolicies(prerendered: Hashes, settings: Env): (path: string) => string {
  const fixed = {
    https: settings.AUTH_URL.startsWith('https:'),
    formTargets: settings.providers.map(({ origin }) => origin),
  }
  const ready = new Map(
    Object.entries(prerendered).map(([path, hashes]) => [
      path,
      contentSecurityPolicy({ hashes, ...fixed }),
    ]),
  )
  // Any path may turn out not to exist, or to fail: those pages were rendered at build time too.
  const always = [...new Set([prerendered['/_not-found'], prerendered['/_global-error']].flat())]
  const hashes = always.filter((hash) => hash !== undefined)
  const place = '{nonce}'
  const [before, after] = contentSecurityPolicy({ nonce: place, hashes, ...fixed }).split(place)
  return (path) => ready.get(path) ?? before + randomBytes(16).toString('base64') + after
}
