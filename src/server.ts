import cluster from 'node:cluster'
import type { Server } from 'node:http'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import nextEnv from '@next/env'
import next from 'next'
import { api } from '@/api'
import { stopAuthority } from '@/core/auth/authority/authority'
import { closeConnection } from '@/core/db/client'
import { env } from '@/core/env'
import { logConsole } from '@/core/host/console'
import { explainStart } from '@/core/host/explain'
import { hotAnswers } from '@/core/host/hot-answers'
import { drain, httpServer, listen } from '@/core/host/http-server'
import { loadPages } from '@/core/host/load-pages'
import { onStop } from '@/core/host/on-stop'
import { pageListener } from '@/core/host/pages'
import { acceptRequest } from '@/core/host/request-target'
import { overseeWorkers } from '@/core/host/workers'
import { malformedRequest } from '@/core/http/malformed-request'
import { announce, flushLog, log } from '@/core/log'
import { stopMailWorker } from '@/core/mail/worker'
import { start } from '@/core/start'
import { modules } from '@/modules'

nextEnv.loadEnvConfig(process.cwd(), false, { info: () => {}, error: () => {} })

try {
  const { WEB_CONCURRENCY } = env()
  if (WEB_CONCURRENCY > 1 && cluster.isPrimary) overseeWorkers(WEB_CONCURRENCY)
  else await serve()
} catch (error) {
  const reason = explainStart(error)
  if (reason === undefined) log().fatal({ err: error }, 'the start failed')
  else process.stderr.write(`${reason}\n`)
  await closeConnection()
  flushLog()
  process.exit(1)
}

/** One process: the interface at the speed of the runtime, and Next for everything else. */
async function serve(): Promise<void> {
  const settings = env()
  logConsole()
  const { PORT, HOST } = settings
  const running: { server?: Server } = {}
  onStop(async () => {
    if (running.server) await drain(running.server)
    await stopMailWorker()
    await stopAuthority()
    await closeConnection()
  })

  const pages = next({ dev: false, dir: process.cwd(), hostname: HOST, port: PORT })
  await Promise.all([start(modules), pages.prepare()])
  await loadPages()

  const answerInterface = getRequestListener(
    (request, bindings) => api.fetch(request, bindings as HttpBindings),
    // Next runs in this process too and relies on the runtime's own Request and Response.
    { overrideGlobalObjects: false, errorHandler: () => malformedRequest() },
  )
  const answerHot = hotAnswers(settings.AUTH_URL, answerInterface)
  const answerPage = pageListener(pages.getRequestHandler(), settings)

  const server = httpServer((request, response) => {
    if (answerHot(request, response) || !acceptRequest(request, response)) return
    if (isInterface(request.url)) answerInterface(request, response)
    else answerPage(request, response)
  })
  await listen(server, PORT, HOST)
  running.server = server
  announce(`ready at http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${portOf(server)}`)
}

function isInterface(url = ''): boolean {
  return url.startsWith('/api') && (url.length === 4 || url[4] === '/' || url[4] === '?')
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : env().PORT
}
