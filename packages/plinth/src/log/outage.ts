import { performance } from 'node:perf_hooks'
import { openRequests, runOutsideRequest } from '#log/current-request'
import { log } from '#log/log'

const intervalMs = 1_000

/** Without a failure for so long, and with an available database, the outage has ended. */
const quietMs = 2_000

type IsAvailable = () => boolean | Promise<boolean>

type Service = 'database' | 'redis'

type Outage = {
  service: Service
  startedAt: number
  lastFailureAt: number
  lastError: unknown
  isAvailable: IsAvailable
  timer: NodeJS.Timeout
  /** Since the last line: the ids of requests, and failures without one. */
  requests: Set<string>
  background: number
  total: number
}

export const outages = new Map<Service, Outage>()

type Failure = { requestId: string | undefined; isAvailable: IsAvailable; service?: Service }

/** Instead of a line per failure, an outage has one line a second, and one when it has ended. */
export function recordOutage(
  error: unknown,
  { requestId, isAvailable, service = 'database' }: Failure,
): void {
  const outage = outages.get(service) ?? begin(service, isAvailable)
  outages.set(service, outage)
  outage.lastError = error
  outage.lastFailureAt = performance.now()
  if (requestId === undefined) outage.background += 1
  else outage.requests.add(requestId)
}

/** Whether there is an outage of the database, which then counts the request. */
export function countInOutage(requestId: string): boolean {
  const outage = outages.get('database')
  outage?.requests.add(requestId)
  return outage !== undefined
}

function begin(service: Service, isAvailable: IsAvailable): Outage {
  const now = performance.now()
  return {
    service,
    startedAt: now,
    lastFailureAt: now,
    lastError: undefined,
    isAvailable,
    timer: runOutsideRequest(() => setInterval(() => logOutage(service), intervalMs).unref()),
    requests: new Set(),
    background: 0,
    total: 0,
  }
}

/** Called every second during an outage. */
export async function logOutage(service: Service, now = performance.now()): Promise<void> {
  const outage = outages.get(service)
  if (!outage) return
  if (logFailures(outage) || now - outage.lastFailureAt < quietMs) return
  if (!(await outage.isAvailable())) outage.lastFailureAt = now
  // Nothing failed in the meantime.
  else if (outages.get(service) === outage && !logFailures(outage)) end(outage)
}

function logFailures(outage: Outage): boolean {
  const failures = outage.requests.size + outage.background
  if (failures === 0) return false
  const [requestId] = outage.requests
  const line = { failures, ...(requestId ? { requestId } : {}), err: outage.lastError }
  // Rate limits are counted in memory meanwhile.
  log()[outage.service === 'redis' ? 'warn' : 'error'](line, `${outage.service} unavailable`)
  outage.total += failures
  outage.requests.clear()
  outage.background = 0
  return true
}

function end({ service, timer, startedAt, lastFailureAt, total }: Outage): void {
  clearInterval(timer)
  outages.delete(service)
  const milliseconds = Math.round(lastFailureAt - startedAt)
  log().info({ failures: total, milliseconds }, `${service} available again`)
}

const openLimitMs = 5_000

/** A request that hangs has no line of its own in the request log until it ends. */
export function watchOpenRequests(): void {
  setInterval(() => logOpenRequests(), intervalMs).unref()
}

/** Names each request that has been open for long, once. */
export function logOpenRequests(now = performance.now()): void {
  for (const request of openRequests()) {
    const milliseconds = Math.round(now - request.start)
    if (milliseconds < openLimitMs) return
    if (request.reported) continue
    request.reported = true
    const { requestId, method, path, span } = request
    const trace = span ? { traceId: span.traceId, spanId: span.spanId } : {}
    log().warn({ requestId, method, path, milliseconds, ...trace }, 'request still open')
  }
}
