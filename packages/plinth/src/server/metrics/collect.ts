import { hashingUse } from '#auth/passwords/hash'
import { sessionCacheUse } from '#auth/sessions/cache'
import { connection, poolUse, runInBackground, type StorageUse } from '#db/client'
import { isDiskFullNow, isHealthy } from '#db/health'
import { countJobs } from '#jobs/worker'
import { openRequests } from '#log/current-request'
import { log } from '#log/log'
import { countQueuedMail } from '#mail/mail'
import { readMetrics, seriesName } from '#metrics/metrics'
import { isRedisUp } from '#rate-limits/redis-counts'
import { eventLoopLag } from '#server/metrics/runtime'
import type { gauges, processCounters, Snapshot } from '#server/metrics/snapshot'

type Labels = Record<string, string>

/** The gauges of one snapshot. */
class Gauges {
  readonly values: Record<string, number> = {}

  set(name: keyof typeof gauges, value: number, labels: Labels = {}): void {
    this.values[seriesName(name, labels)] = value
  }

  setByState(name: keyof typeof gauges, values: Record<string, number>, labels: Labels = {}): void {
    for (const [state, value] of Object.entries(values)) this.set(name, value, { ...labels, state })
  }
}

/** The metrics of any process, also of one that serves no requests. */
export function collectProcess(): Snapshot {
  const found = new Gauges()
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage()
  found.set('process_resident_memory_bytes', rss)
  found.set('nodejs_heap_size_used_bytes', heapUsed)
  found.set('nodejs_heap_size_total_bytes', heapTotal)
  found.set('nodejs_external_memory_bytes', external)
  const lag = eventLoopLag()
  found.set('nodejs_eventloop_lag_p50_seconds', lag.p50)
  found.set('nodejs_eventloop_lag_p99_seconds', lag.p99)
  found.set('nodejs_eventloop_lag_max_seconds', lag.max)
  const cpuName: keyof typeof processCounters = 'process_cpu_seconds_total'
  const { user, system } = process.cpuUsage()
  const { counters, histograms } = readMetrics()
  const cpuSeconds = (user + system) / 1e6
  return { counters: { ...counters, [cpuName]: cpuSeconds }, histograms, gauges: found.values }
}

/** The metrics of a process that serves requests. `tables` queries the database. */
export async function collectServer({ tables }: { tables: boolean }): Promise<Snapshot> {
  const isOpen = poolUse().length > 0
  const ofTables = tables && isOpen ? await tableGauges() : {}
  const found = new Gauges()
  const [oldest] = openRequests()
  found.set('http_requests_in_flight', openRequests().size)
  found.set('http_oldest_request_age_seconds', oldest ? secondsSince(oldest.start) : 0)
  for (const { pool, size, busy, idle, waiting } of poolUse()) {
    found.set('plinth_database_pool_size', size, { pool })
    found.setByState('plinth_database_pool_connections', { busy, idle }, { pool })
    found.set('plinth_database_pool_waiting', waiting, { pool })
  }
  const { entries, changesReadMs } = sessionCacheUse()
  found.set('plinth_session_cache_entries', entries)
  if (changesReadMs !== undefined) {
    found.set('plinth_session_cache_lease_age_seconds', changesReadMs / 1000)
  }
  const redisUp = isRedisUp()
  if (redisUp !== undefined) found.set('plinth_redis_up', Number(redisUp))
  const { running, waiting } = hashingUse()
  found.set('plinth_password_hashes_running', running)
  found.set('plinth_password_hashes_waiting', waiting)
  const { gauges: ofProcess, ...counted } = collectProcess()
  return { ...counted, gauges: { ...ofProcess, ...found.values, ...ofTables } }
}

function secondsSince(time: number): number {
  return (performance.now() - time) / 1000
}

/** Without counts if the database is unavailable or slow: absent rather than wrong. */
async function tableGauges(): Promise<Record<string, number>> {
  const found = new Gauges()
  const isUp = await isHealthy()
  found.set('plinth_database_up', Number(isUp))
  found.set('plinth_database_disk_full', Number(isDiskFullNow()))
  const storage = await readStorage()
  if (storage) {
    found.set('plinth_data_disk_size_bytes', storage.sizeBytes)
    found.set('plinth_data_disk_free_bytes', storage.freeBytes)
    found.set('plinth_backup_age_seconds', storage.backupAgeSeconds)
  }
  const counts = isUp ? await within(queryLimitMs, countRows()) : undefined
  if (counts) {
    const { oldestSeconds, ...mail } = counts.mail
    const { overdueSeconds, ...jobs } = counts.jobs
    found.setByState('plinth_mail_queue_messages', mail)
    found.set('plinth_mail_queue_oldest_age_seconds', oldestSeconds)
    found.setByState('plinth_jobs', jobs)
    found.set('plinth_jobs_overdue_seconds', overdueSeconds)
  }
  return found.values
}

async function readStorage(): Promise<StorageUse | undefined> {
  try {
    return await connection().storage?.()
  } catch (error) {
    log().warn({ err: error }, 'the disk of the database cannot be read')
    return undefined
  }
}

const queryLimitMs = 1_000
const cachedMs = 5_000

type Counts = Awaited<ReturnType<typeof queryCounts>>

async function queryCounts() {
  const [mail, jobs] = await Promise.all([countQueuedMail(), countJobs()])
  return { mail, jobs }
}

const lastCounts: { at: number; counts?: Promise<Counts | undefined> } = { at: 0 }

/** At most one query at a time, and none for a while after it, however many scrapers there are. */
function countRows(): Promise<Counts | undefined> {
  if (lastCounts.counts && performance.now() < lastCounts.at + cachedMs) return lastCounts.counts
  const counts = runInBackground(queryCounts).catch(() => undefined)
  Object.assign(lastCounts, { at: Number.POSITIVE_INFINITY, counts })
  void counts.then((found) => {
    lastCounts.at = found ? performance.now() : 0
  })
  return counts
}

async function within<Result>(ms: number, work: Promise<Result>): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  const result = await Promise.race([work, timeout])
  clearTimeout(timer)
  return result
}
