type Labels = Readonly<Record<string, string | number>>

type Described = { help: string; initial?: readonly Labels[] }

const results = (...names: string[]) => names.map((result) => ({ result }))

/** Every counter. The `initial` series are 0 from the start, so that a first increase is seen. */
export const counters = {
  http_requests_total: { help: 'HTTP requests that have ended.' },
  plinth_session_cache_lookups_total: { help: 'Lookups of sessions in the session cache.' },
  plinth_sign_ins_total: {
    help: 'Sign-ins by method and result.',
    initial: results('success', 'failure', 'rate_limited').map((labels) => ({
      method: 'password',
      ...labels,
    })),
  },
  plinth_password_hashes_refused_total: {
    help: 'Hashes that were refused because the queue was full.',
    initial: [{}],
  },
  plinth_mail_deliveries_total: {
    help: 'Attempts to deliver queued mail, by result.',
    initial: results('sent', 'retry', 'given_up'),
  },
  plinth_swept_rows_total: { help: 'Old rows that were deleted or changed in the background.' },
  plinth_audit_partitions_dropped_total: {
    help: 'Months of the audit log that were deleted by AUDIT_RETENTION_DAYS.',
    initial: [{}],
  },
  plinth_redis_failures_total: {
    help: 'Rate limits that were counted in memory because Redis was unavailable.',
    initial: [{}],
  },
  plinth_uncaught_errors_total: {
    help: 'Errors that no code has caught: unhandled rejections and uncaught exceptions.',
    initial: [{ kind: 'rejection' }, { kind: 'exception' }],
  },
  plinth_rate_limited_total: { help: 'Attempts that a rate limit has refused, by limit.' },
  plinth_csp_violations_total: {
    help: 'Violations of the Content-Security-Policy that browsers have reported.',
    initial: [{ directive: 'script-src-elem' }],
  },
  plinth_job_runs_total: { help: 'Runs of background jobs, by result.' },
} satisfies Record<string, Described>

/** In seconds. A request that waits for the database ends by the limit of 2.5 seconds. */
const shortBounds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const longBounds = [0.01, 0.1, 0.5, 1, 5, 15, 60, 300, 600, 1800, 3600]

/** Every histogram, with the bounds of its buckets. */
export const histograms = {
  http_request_duration_seconds: {
    help: 'Time from the start of HTTP requests to their response.',
    bounds: shortBounds,
  },
  plinth_query_duration_seconds: {
    help: 'Time of statements in the database.',
    bounds: shortBounds,
  },
  plinth_job_duration_seconds: { help: 'Time of attempts of background jobs.', bounds: longBounds },
  nodejs_gc_duration_seconds: {
    help: 'Pauses for garbage collection, by kind.',
    bounds: shortBounds,
  },
} satisfies Record<string, Described & { bounds: readonly number[] }>

export type Counter = { value: number }

/** How many values are in each bucket; the last bucket has no bound. */
export type Histogram = { bounds: readonly number[]; buckets: number[]; sum: number }

export const metrics = {
  enabled: false,
  counters: new Map<string, Counter>(),
  histograms: new Map<string, Histogram>(),
}

/** Call it before the process does anything that is counted. */
export function enableMetrics(): void {
  metrics.enabled = true
  for (const [name, { initial = [] }] of Object.entries<Described>(counters)) {
    for (const labels of initial) counter(name as keyof typeof counters, labels)
  }
}

export function metricsEnabled(): boolean {
  return metrics.enabled
}

/** Undefined while metrics are off. A frequent caller keeps it and adds to its value. */
export function counter(name: keyof typeof counters, labels: Labels = {}): Counter | undefined {
  if (!metrics.enabled) return undefined
  return getOrCreate(metrics.counters, seriesName(name, labels), () => ({ value: 0 }))
}

/** Labels have few values, and none that a caller chooses or that identifies a user. */
export function count(name: keyof typeof counters, labels: Labels = {}, by = 1): void {
  const counted = counter(name, labels)
  if (counted) counted.value += by
}

/** Undefined while metrics are off. */
export function histogram(
  name: keyof typeof histograms,
  labels: Labels = {},
): Histogram | undefined {
  if (!metrics.enabled) return undefined
  const { bounds } = histograms[name]
  return getOrCreate(metrics.histograms, seriesName(name, labels), () => ({
    bounds,
    buckets: new Array<number>(bounds.length + 1).fill(0),
    sum: 0,
  }))
}

/** `startedAt` is a time of `performance.now()`. */
export function observeSince(histogram: Histogram | undefined, startedAt: number): void {
  if (histogram) observe(histogram, (performance.now() - startedAt) / 1000)
}

export function observe(histogram: Histogram, seconds: number): void {
  const { bounds, buckets } = histogram
  let bucket = 0
  while (bucket < bounds.length && seconds > (bounds[bucket] as number)) bucket += 1
  buckets[bucket] = (buckets[bucket] as number) + 1
  histogram.sum += seconds
}

/** All counters and histograms of this process, by the name of their series. */
export function readMetrics() {
  const values = [...metrics.counters].map(([name, { value }]) => [name, value] as const)
  return {
    counters: Object.fromEntries(values),
    histograms: Object.fromEntries(metrics.histograms),
  }
}

/** As in the text format of Prometheus: `name{label="value"}`. */
export function seriesName(name: string, labels: Labels): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escaped(value)}"`)
  return pairs.length === 0 ? name : `${name}{${pairs.join(',')}}`
}

function escaped(value: string | number): string {
  return String(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

function getOrCreate<Value>(map: Map<string, Value>, name: string, create: () => Value): Value {
  const existing = map.get(name)
  if (existing) return existing
  const created = create()
  map.set(name, created)
  return created
}
