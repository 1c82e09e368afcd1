import cluster, { type Worker } from 'node:cluster'
import { flushLog, log } from '@/core/log'

/** A worker that lived for less than this was not running yet; it is not started again at once. */
const young = 5_000
const longestPause = 30_000

/**
 * Runs the service in so many processes that share one port, and starts another for each that
 * dies. One that cannot even start for the first time has said why, and there the whole ends.
 */
export function overseeWorkers(count: number): void {
  let stopping = false
  let served = false
  let failures = 0

  function begin(): void {
    const startedAt = performance.now()
    const worker = cluster.fork()
    worker.once('listening', () => {
      served = true
    })
    worker.once('exit', (code, signal) => {
      if (stopping) return endWhenAlone()
      if (!served) return stop(code || 1)
      failures = performance.now() - startedAt < young ? failures + 1 : 0
      const pause = failures === 0 ? 0 : Math.min(1_000 * 2 ** (failures - 1), longestPause)
      log().error({ pid: worker.process.pid, code, signal }, 'a worker died; starting another')
      setTimeout(() => stopping || begin(), pause)
    })
  }

  function stop(code: number): void {
    if (stopping) return
    stopping = true
    process.exitCode = code
    for (const worker of workers()) worker.process.kill('SIGTERM')
    endWhenAlone()
  }

  function endWhenAlone(): void {
    if (workers().length > 0) return
    flushLog()
    process.exit()
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(0))
  for (let index = 0; index < count; index += 1) begin()
}

function workers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
}
