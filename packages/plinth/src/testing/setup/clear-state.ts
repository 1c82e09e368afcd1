import { authSecrets } from '#config/env'
import { clock } from '#db/clock'
import { disk } from '#db/health'
import { endDraining } from '#http/draining'
import { schedules } from '#jobs/schedules'
import { log, logDestination } from '#log/log'
import { outages } from '#log/outage'
import { metrics } from '#metrics/metrics'
import { memoryCounts } from '#rate-limits/memory-counts'
import { redis } from '#rate-limits/redis-counts'
import { start } from '#server/start'

/** Between test files that share a process: what a file has made of its settings, or found out. */
export function clearState(): void {
  for (const made of [authSecrets, log, logDestination, memoryCounts, redis, start]) made.clear()
  endDraining()
  disk.full = false
  delete clock.ahead
  delete schedules.names
  outages.clear()
  metrics.enabled = false
  metrics.counters.clear()
  metrics.histograms.clear()
}
