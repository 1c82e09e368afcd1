import cluster, { type Worker } from 'node:cluster'
import { flushLog, log } from '@/core/log/log'

/** A worker that exits sooner is restarted with a backoff. */
const minUptimeMs = 5_000
const maxBackoffMs = 30_000

/**
 * Runs processes that share one port, and restarts those that exit. If the first start fails, the
 * worker has printed the reason and everything stops.
 */
export function runWorkers(count: number): void {
  let stopping = false
  let served = false
  let failures = 0

  function startWorker(): void {
    const startedAt = performance.now()
    const worker = cluster.fork()
    worker.once('listening', () => {
      served = true
    })
    worker.once('exit', (code, signal) => {
      if (stopping) return exitWhenDone()
      if (!served) return stop(code || 1)
      failures = performance.now() - startedAt < minUptimeMs ? failures + 1 : 0
      const backoffMs = failures === 0 ? 0 : Math.min(1_000 * 2 ** (failures - 1), maxBackoffMs)
      log().error({ pid: worker.process.pid, code, signal }, 'worker exited; restarting')
      setTimeout(() => stopping || startWorker(), backoffMs)
    })
  }

  function stop(code: number): void {
    if (stopping) return
    stopping = true
    process.exitCode = code
    for (const worker of workers()) worker.process.kill('SIGTERM')
    exitWhenDone()
  }

  function exitWhenDone(): void {
    if (workers().length > 0) return
    flushLog()
    process.exit()
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(0))
  for (let index = 0; index < count; index += 1) startWorker()
}

function workers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
}
