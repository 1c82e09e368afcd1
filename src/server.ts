import cluster from 'node:cluster'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import nextEnv from '@next/env'
import next from 'next'
import { stopSessionCache } from 'plinth/auth/sessions/cache'
import { env } from 'plinth/config/env'
import { closeConnection } from 'plinth/db/client'
import { stopJobWorker } from 'plinth/jobs/worker'
import { announce, flushLog, log } from 'plinth/log/log'
import { shutDownTracing, tracing } from 'plinth/log/trace'
import { stopMailWorker } from 'plinth/mail/worker'
import { explainStartupError, logConsole } from 'plinth/server/console'
import { onDiagnose } from 'plinth/server/diagnostics'
import { fastPath } from 'plinth/server/fast-path'
import { dropUntrustedHeaders } from 'plinth/server/forwarded-headers'
import { acceptRequest, httpServer, listen, malformedRequest } from 'plinth/server/http-server'
import { drain, onShutdown, runWorkers } from 'plinth/server/lifecycle'
import { pageListener } from 'plinth/server/pages/page-listener'
import { loadPages } from 'plinth/server/pages/prerendered-pages'
import { start } from 'plinth/server/start'
import { openStaticFiles } from 'plinth/server/static-files/serve-static-files'
import { api } from '@/api'
import { app } from '@/register'

nextEnv.loadEnvConfig(process.cwd(), false, { info: () => {}, error: () => {} })

try {
  const { WEB_CONCURRENCY, METRICS_PORT } = env()
  onDiagnose(env())
  if (METRICS_PORT) {
    const { startMetrics } = await import('plinth/server/metrics/listener')
    await startMetrics(env())
  }
  if (WEB_CONCURRENCY > 1 && cluster.isPrimary) runWorkers(WEB_CONCURRENCY)
  else await serve()
} catch (error) {
  const message = explainStartupError(error)
  if (message === undefined) log().fatal({ err: error }, 'startup failed')
  else process.stderr.write(`${message}\n`)
  await closeConnection()
  flushLog()
  process.exit(1)
}

/** One process: `/api/*` goes to the API, everything else to Next. */
async function serve(): Promise<void> {
  const settings = env()
  logConsole()
  const { PORT, HOST } = settings
  const running: { server?: Server } = {}
  const delayMs = settings.SHUTDOWN_DELAY_MS
  onShutdown(
    async () => {
      if (running.server) await drain(running.server, { delayMs })
      await Promise.all([stopMailWorker(), stopJobWorker()])
      await stopSessionCache()
      await closeConnection()
      await shutDownTracing()
    },
    { delayMs },
  )

  const pages = next({ dev: false, dir: process.cwd(), hostname: HOST, port: PORT })
  await Promise.all([start(app.modules), pages.prepare()])
  const [staticFiles] = await Promise.all([openStaticFiles(settings), loadPages()])

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
