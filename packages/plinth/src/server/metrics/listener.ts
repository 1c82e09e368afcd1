import cluster, { type Worker } from 'node:cluster'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { type Env, StartupError } from '#config/env'
import { announce, log } from '#log/log'
import { enableMetrics, readMetrics, seriesName } from '#metrics/metrics'
import { explainStartupError } from '#server/console'
import { listen } from '#server/http-server'
import { collectProcess, collectServer } from '#server/metrics/collect'
import { watchEventLoop, watchGarbageCollection } from '#server/metrics/runtime'
import {
  formatSnapshot,
  mergeSnapshots,
  type processCounters,
  type Snapshot,
  withoutGauges,
} from '#server/metrics/snapshot'

type Settings = Pick<Env, 'METRICS_PORT' | 'METRICS_HOST' | 'WEB_CONCURRENCY'>

/**
 * Starts to count, before anything else runs in the process. The process that was started first
 * listens; with several, it asks the others at each scrape.
 */
export async function startMetrics(settings: Settings): Promise<void> {
  enableMetrics()
  watchEventLoop()
  watchGarbageCollection()
  if (cluster.isWorker) return respondToPrimary()
  const collect = settings.WEB_CONCURRENCY > 1 ? collectWorkers() : collectAlone
  await serve(settings, withProcessInfo(collect))
}

type Collect = () => Promise<Snapshot>

async function collectAlone(): Promise<Snapshot> {
  const snapshot = await collectServer({ tables: true })
  return mergeSnapshots([snapshot, workerGauges({ responding: 1, unresponsive: 0 })])
}

function workerGauges(byState: Record<'responding' | 'unresponsive', number>): Snapshot {
  const values = Object.entries(byState).map(([state, value]) => [
    seriesName('plinth_workers', { state }),
    value,
  ])
  return { counters: {}, histograms: {}, gauges: Object.fromEntries(values) }
}

type Question = { plinthMetrics: number; tables: boolean }
type Answer = { plinthMetrics: number; snapshot: Snapshot }

function respondToPrimary(): void {
  // The primary may have gone.
  const send = (answer: Answer) => process.send?.(answer, undefined, undefined, () => {})

  process.on('message', async ({ plinthMetrics, tables }: Question) => {
    if (plinthMetrics === undefined) return
    try {
      send({ plinthMetrics, snapshot: await collectServer({ tables }) })
    } catch (error) {
      log().error({ err: error }, 'metrics failed')
    }
  })
  // Counted, and then the process shuts down: the next scrape would not find it.
  process.on('uncaughtExceptionMonitor', () => {
    setImmediate(() => send({ plinthMetrics: unasked, snapshot: collectCounters() }))
  })
}

const unasked = 0

function collectCounters(): Snapshot {
  return { ...readMetrics(), gauges: {} }
}

const exitsName: keyof typeof processCounters = 'plinth_worker_exits_total'

/** Shorter than the time that Prometheus waits for a scrape, and longer than a query of the counts. */
const workerTimeoutMs = 3_000

/**
 * Counters of a worker that exits, or that does not respond, stay in the sum with their last known
 * values: a sum that goes down would look like a restart.
 */
function collectWorkers(): Collect {
  const latest = new Map<number, Snapshot>()
  const listening = new Set<Worker>()
  /** Did not respond to the last question. */
  const silent = new WeakSet<Worker>()
  const waiting = new Map<string, (snapshot: Snapshot) => void>()
  let ofExited = emptySnapshot()
  let exits = 0
  let questions = 0

  cluster.on('listening', (worker) => listening.add(worker))
  cluster.on('message', (worker: Worker, { plinthMetrics, snapshot }: Answer) => {
    if (plinthMetrics === undefined || worker.isDead()) return
    latest.set(worker.id, snapshot)
    waiting.get(`${worker.id} ${plinthMetrics}`)?.(snapshot)
  })
  cluster.on('exit', (worker) => {
    listening.delete(worker)
    exits += 1
    const last = latest.get(worker.id)
    latest.delete(worker.id)
    if (last) ofExited = mergeSnapshots([ofExited, withoutGauges(last)])
  })

  function ask(worker: Worker, tables: boolean): Promise<Snapshot | undefined> {
    questions += 1
    const question: Question = { plinthMetrics: questions, tables }
    const key = `${worker.id} ${questions}`
    return new Promise((resolve) => {
      const timer = setTimeout(finish, workerTimeoutMs)
      function finish(snapshot?: Snapshot): void {
        clearTimeout(timer)
        waiting.delete(key)
        resolve(snapshot)
      }
      waiting.set(key, finish)
      // Without a callback, a worker that has just exited would be an error event.
      worker.send(question, () => {})
    })
  }

  return async () => {
    const asked = [...listening]
    const forTables = asked.find((worker) => !silent.has(worker)) ?? asked[0]
    const answers = await Promise.all(asked.map((worker) => ask(worker, worker === forTables)))
    asked.forEach((worker, index) => {
      if (answers[index]) silent.delete(worker)
      else silent.add(worker)
    })
    const responding = answers.filter((answer) => answer !== undefined).length
    const byState = { responding, unresponsive: asked.length - responding }
    // Not the answers: a worker may have exited since, and is then among those that have.
    const ofLive = asked.map((worker) => {
      const last = latest.get(worker.id) ?? emptySnapshot()
      return silent.has(worker) ? withoutGauges(last) : last
    })
    const exited = { ...ofExited, counters: { ...ofExited.counters, [exitsName]: exits } }
    return mergeSnapshots([collectProcess(), exited, ...ofLive, workerGauges(byState)])
  }
}

function emptySnapshot(): Snapshot {
  return { counters: {}, histograms: {}, gauges: {} }
}

function withProcessInfo(collect: Collect): Collect {
  const build = readFileSync('.next/BUILD_ID', 'utf8').trim()
  const { version = '' }: { version?: string } = JSON.parse(readFileSync('package.json', 'utf8'))
  const labels = { version, build, node: process.versions.node }
  const gauges = {
    process_start_time_seconds: performance.timeOrigin / 1000,
    [seriesName('plinth_build_info', labels)]: 1,
  }
  return async () => {
    const snapshot = await collect()
    return { ...snapshot, gauges: { ...snapshot.gauges, ...gauges } }
  }
}

async function serve({ METRICS_PORT = 0, METRICS_HOST }: Settings, collect: Collect) {
  const server = createServer({ requestTimeout: 10_000 }, respondWith(sharedCalls(collect)))
  server.headersTimeout = 10_000
  server.maxConnections = 32
  await listen(server, METRICS_PORT, METRICS_HOST).catch((error: unknown) => {
    const reason = explainStartupError(error)
    throw reason ? new StartupError(ofMetrics(reason)) : error
  })
  const host = METRICS_HOST.includes(':') ? `[${METRICS_HOST}]` : METRICS_HOST
  announce(`metrics at http://${host}:${METRICS_PORT}/metrics`)
}

function ofMetrics(reason: string): string {
  return reason.replace(/\b(PORT|HOST)\b/, 'METRICS_$1')
}

/** Scrapes that overlap get the same result. */
function sharedCalls(collect: Collect): Collect {
  let running: Promise<Snapshot> | undefined
  return () => {
    running ??= collect().finally(() => {
      running = undefined
    })
    return running
  }
}

function respondWith(collect: Collect): RequestListener {
  return async ({ method, url = '' }, response) => {
    if (url.split('?', 1)[0] !== '/metrics') {
      response.writeHead(404).end()
    } else if (method !== 'GET' && method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD' }).end()
    } else {
      try {
        const body = formatSnapshot(await collect())
        response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
        response.end(body)
      } catch (error) {
        log().error({ err: error }, 'metrics failed')
        response.writeHead(500).end()
      }
    }
  }
}
