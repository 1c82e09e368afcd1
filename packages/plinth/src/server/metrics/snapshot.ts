import {
  counters as declaredCounters,
  histograms as declaredHistograms,
  type Histogram,
} from '#metrics/metrics'

const merges = {
  sum: (one: number, other: number) => one + other,
  max: Math.max,
  min: Math.min,
}

/** Every gauge, with how the values of several processes become one, and its description. */
export const gauges = {
  http_requests_in_flight: { merge: 'sum', help: 'HTTP requests that wait for their response.' },
  http_oldest_request_age_seconds: {
    merge: 'max',
    help: 'Age of the oldest HTTP request in flight.',
  },
  nodejs_eventloop_lag_p50_seconds: {
    merge: 'max',
    help: 'Median delay of the event loop in the last minute.',
  },
  nodejs_eventloop_lag_p99_seconds: {
    merge: 'max',
    help: '99th percentile of the delay in the last minute.',
  },
  nodejs_eventloop_lag_max_seconds: {
    merge: 'max',
    help: 'Longest delay of the event loop in the last minute.',
  },
  process_resident_memory_bytes: { merge: 'sum', help: 'Resident memory of all processes.' },
  nodejs_heap_size_used_bytes: { merge: 'sum', help: 'Used heap of all processes.' },
  nodejs_heap_size_total_bytes: { merge: 'sum', help: 'Size of the heap of all processes.' },
  nodejs_external_memory_bytes: {
    merge: 'sum',
    help: 'Memory outside of the heap, such as buffers.',
  },
  process_start_time_seconds: {
    merge: 'max',
    help: 'When the first process started, in seconds since 1970.',
  },
  plinth_build_info: {
    merge: 'max',
    help: 'Always 1; the labels name the version, the build and Node.',
  },
  plinth_workers: { merge: 'sum', help: 'Processes that serve requests, by whether they respond.' },
  plinth_database_up: {
    merge: 'max',
    help: '1 if the database responds and takes writes, otherwise 0.',
  },
  plinth_database_disk_full: {
    merge: 'max',
    help: '1 if the last write that needed space found none, otherwise 0.',
  },
  plinth_data_disk_size_bytes: { merge: 'max', help: 'Size of the disk of DATA_DIR.' },
  plinth_data_disk_free_bytes: { merge: 'max', help: 'Free space on the disk of DATA_DIR.' },
  plinth_backup_age_seconds: {
    merge: 'max',
    help: 'Time since the last backup of the embedded database.',
  },
  plinth_redis_up: { merge: 'min', help: '1 if every process is connected to Redis, otherwise 0.' },
  plinth_database_pool_size: { merge: 'sum', help: 'Connections that may be open.' },
  plinth_database_pool_connections: { merge: 'sum', help: 'Open connections, by state.' },
  plinth_database_pool_waiting: {
    merge: 'sum',
    help: 'Statements and transactions that wait for a connection.',
  },
  plinth_session_cache_entries: { merge: 'sum', help: 'Cached sessions.' },
  plinth_session_cache_lease_age_seconds: {
    merge: 'max',
    help: 'Time since the change log was read; absent if idle.',
  },
  plinth_password_hashes_running: { merge: 'sum', help: 'Hashes that are computed.' },
  plinth_password_hashes_waiting: { merge: 'sum', help: 'Hashes that wait for a core.' },
  plinth_mail_queue_messages: {
    merge: 'max',
    help: 'Queued mail, by state. The same on every instance.',
  },
  plinth_jobs: { merge: 'max', help: 'Background jobs, by state. The same on every instance.' },
  plinth_jobs_overdue_seconds: { merge: 'max', help: 'How long the oldest due job waits.' },
  plinth_mail_queue_oldest_age_seconds: { merge: 'max', help: 'Age of the oldest queued mail.' },
} as const satisfies Record<string, { merge: keyof typeof merges; help: string }>

/** The counters about processes themselves: their CPU time and their exits. */
export const processCounters = {
  process_cpu_seconds_total: { help: 'CPU time of all processes.' },
  plinth_worker_exits_total: { help: 'Processes that exited.' },
} as const

/** The metrics of a process, by the name of the series: `name{label="value"}`. */
export type Snapshot = {
  counters: Record<string, number>
  histograms: Record<string, Histogram>
  gauges: Record<string, number>
}

/** Merges the metrics of processes that run side by side. */
export function mergeSnapshots(snapshots: readonly Snapshot[]): Snapshot {
  const merged: Snapshot = { counters: {}, histograms: {}, gauges: {} }
  for (const snapshot of snapshots) {
    for (const [series, value] of Object.entries(snapshot.counters)) {
      merged.counters[series] = (merged.counters[series] ?? 0) + value
    }
    for (const [series, histogram] of Object.entries(snapshot.histograms)) {
      merged.histograms[series] = addHistograms(merged.histograms[series], histogram)
    }
    for (const [series, value] of Object.entries(snapshot.gauges)) {
      const { merge } = gauges[familyOf(series) as keyof typeof gauges]
      const before = merged.gauges[series]
      if (before === undefined) merged.gauges[series] = value
      else merged.gauges[series] = merges[merge](before, value)
    }
  }
  return merged
}

function addHistograms(one: Histogram | undefined, other: Histogram): Histogram {
  if (!one) return other
  const buckets = one.buckets.map((count, index) => count + (other.buckets[index] ?? 0))
  return { bounds: one.bounds, buckets, sum: one.sum + other.sum }
}

/** The metrics that remain of a process that has exited: sums must not go down. */
export function withoutGauges({ counters, histograms }: Snapshot): Snapshot {
  return { counters, histograms, gauges: {} }
}

/** In the text format of Prometheus. */
export function formatSnapshot({ counters, histograms, gauges }: Snapshot): string {
  return [
    ...families(counters, 'counter'),
    ...families(histograms, 'histogram'),
    ...families(gauges, 'gauge'),
  ].join('')
}

const declared: Record<string, { help: string }> = {
  ...declaredCounters,
  ...processCounters,
  ...declaredHistograms,
  ...gauges,
}

function families(
  values: Record<string, number> | Record<string, Histogram>,
  type: string,
): string[] {
  const byName = new Map<string, string[]>()
  for (const [series, value] of Object.entries(values)) {
    const name = familyOf(series)
    const lines = byName.get(name) ?? []
    byName.set(name, lines)
    if (typeof value === 'number') lines.push(`${series} ${value}\n`)
    else lines.push(...histogramLines(series, value))
  }
  return [...byName].flatMap(([name, lines]) => [
    `# HELP ${name} ${declared[name]?.help}\n# TYPE ${name} ${type}\n`,
    ...lines,
  ])
}

function histogramLines(series: string, { bounds, buckets, sum }: Histogram): string[] {
  const name = familyOf(series)
  const labels = series.slice(name.length + 1, -1)
  const labelsWith = (bound: string) => (labels ? `${labels},le="${bound}"` : `le="${bound}"`)
  const suffix = labels ? `{${labels}}` : ''
  let total = 0
  const lines = buckets.map((count, index) => {
    total += count
    return `${name}_bucket{${labelsWith(String(bounds[index] ?? '+Inf'))}} ${total}\n`
  })
  return [...lines, `${name}_sum${suffix} ${sum}\n`, `${name}_count${suffix} ${total}\n`]
}

function familyOf(series: string): string {
  return series.split('{', 1)[0] ?? series
}
