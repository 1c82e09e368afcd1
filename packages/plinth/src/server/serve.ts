import cluster from 'node:cluster'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import next from 'next'
import { createApi } from '#api/api'
import { stopSessionCache } from '#auth/sessions/cache'
import { appFolder } from '#config/app-folder'
import { env } from '#config/env'
import { loadEnvFiles } from '#config/env-files'
import { closeConnection } from '#db/client'
import { announce, flushLog, log } from '#log/log'
import { shutDownTracing, tracing } from '#log/trace'
import { explainStartupError, logConsole } from '#server/console'
import { onDiagnose } from '#server/diagnostics'
import { fastPath } from '#server/fast-path'
import { dropUntrustedHeaders } from '#server/forwarded-headers'
import { acceptRequest, httpServer, listen, malformedRequest } from '#server/http-server'
import { drain, onShutdown, runWorkers } from '#server/lifecycle'
import { loadApp } from '#server/load-app'
import { loadPages } from '#server/pages/load-pages'
import { pageListener } from '#server/pages/page-listener'
import { requireKnownLimits, start, stopWorkers } from '#server/start'
import { openStaticFiles } from '#server/static-files/serve-static-files'

/** The production server, in one process or in several. */
export async function serve(): Promise<void> {
  loadEnvFiles()
  try {
    const { WEB_CONCURRENCY, METRICS_PORT } = env()
    onDiagnose(env())
    if (METRICS_PORT) {
      const { startMetrics } = await import('#server/metrics/listener')
      await startMetrics(env())
    }
    if (WEB_CONCURRENCY > 1 && cluster.isPrimary) runWorkers(WEB_CONCURRENCY)
    else await serveRequests()
  } catch (error) {
    const message = explainStartupError(error)
    if (message === undefined) log().fatal({ err: error }, 'startup failed')
    else process.stderr.write(`${message}\n`)
    await closeConnection()
    flushLog()
    process.exit(1)
  }
}

/** One process: `/api/*` goes to the API, everything else to Next. */
async function serveRequests(): Promise<void> {
  const settings = env()
  logConsole()
  const { PORT, HOST } = settings
  const running: { server?: Server } = {}
  const delayMs = settings.SHUTDOWN_DELAY_MS
  onShutdown(
    async () => {
      if (running.server) await drain(running.server, { delayMs })
      await stopWorkers()
      await stopSessionCache()
      await closeConnection()
      await shutDownTracing()
    },
    { delayMs },
  )

  const modules = await loadApp()
  const pages = next({ dev: false, dir: appFolder(), hostname: HOST, port: PORT })
  await Promise.all([start(modules), pages.prepare()])
  const [staticFiles] = await Promise.all([openStaticFiles(settings), loadPages()])
  requireKnownLimits()

  const api = createApi(modules)
  const apiListener = getRequestListener(
    (request, bindings) => api.fetch(request, bindings as HttpBindings),
    // Next runs in this process too and needs the runtime's own Request and Response.
    { overrideGlobalObjects: false, errorHandler: () => malformedRequest() },
  )
  // The API makes the span of a request.
  const respondFast = tracing() ? () => false : fastPath(settings.AUTH_URL, apiListener)
  const renderPage = pageListener(pages.getRequestHandler(), settings, staticFiles)

  const server = httpServer((request, response) => {
    if (respondFast(request, response) || !acceptRequest(request, response)) return
    dropUntrustedHeaders(request, settings.TRUST_PROXY > 0)
    if (isApi(request.url)) apiListener(request, response)
    else renderPage(request, response)
  })
  await listen(server, PORT, HOST)
  running.server = server
  sendActionsTo(server)
  announce(`ready at http://${browserHost(HOST)}:${portOf(server)}`)
}

/**
 * Next sends an action that another page has to this server again. Without this it would use the
 * protocol that the browser sees, and behind a proxy with TLS the action would not run.
 */
function sendActionsTo(server: Server): void {
  const { address = '127.0.0.1', family } = server.address() as AddressInfo
  const host = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[address]
  const literal = family === 'IPv6' ? `[${address}]` : address
  process.env.__NEXT_PRIVATE_ORIGIN = `http://${host ?? literal}:${portOf(server)}`
}

/** The name in AUTH_URL, if the server listens on this machine or on all interfaces. */
function browserHost(host: string): string {
  if (/^(0\.0\.0\.0|127\.0\.0\.1|::1?)$/.test(host)) return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

function isApi(url = ''): boolean {
  return url.startsWith('/api') && (url.length === 4 || url[4] === '/' || url[4] === '?')
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : env().PORT
}
