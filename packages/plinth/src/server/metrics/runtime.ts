import { constants, monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks'
import { histogram, observe } from '#metrics/metrics'

const windowMs = 30_000
const resolutionMs = 20

const delays = monitorEventLoopDelay({ resolution: resolutionMs })
let earlierLag: Lag = { p50: 0, p99: 0, max: 0 }

type Lag = { p50: number; p99: number; max: number }

/** Measures in windows of its own, because a scrape must not reset what another still has to see. */
export function watchEventLoop(): void {
  delays.enable()
  setInterval(() => {
    earlierLag = currentLag()
    delays.reset()
  }, windowMs).unref()
}

/** In seconds, of the current window and the one before. */
export function eventLoopLag(): Lag {
  const { p50, p99, max } = currentLag()
  return {
    p50: Math.max(p50, earlierLag.p50),
    p99: Math.max(p99, earlierLag.p99),
    max: Math.max(max, earlierLag.max),
  }
}

function currentLag(): Lag {
  // The runtime measures the time from timer to timer.
  const lag = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - resolutionMs / 1e3)
  return { p50: lag(delays.percentile(50)), p99: lag(delays.percentile(99)), max: lag(delays.max) }
}

const collections: Record<number, string> = {
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'minor',
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'major',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'incremental',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'weak_callbacks',
}

type Collection = { detail?: { kind?: number } }

export function watchGarbageCollection(): void {
  const observer = new PerformanceObserver((list) => {
    for (const { detail, duration } of list.getEntries() as (PerformanceEntry & Collection)[]) {
      const kind = collections[detail?.kind ?? 0] ?? 'other'
      const durations = histogram('nodejs_gc_duration_seconds', { kind })
      if (durations) observe(durations, duration / 1000)
    }
  })
  observer.observe({ entryTypes: ['gc'] })
}
