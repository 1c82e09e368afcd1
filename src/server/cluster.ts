import type { Worker } from 'node:cluster'
import cluster from 'node:cluster'
import { flushLog, log } from '@/core/log/log'

/** A worker that exits sooner is restarted with a backoff. */
const minUptimeMs = 5_000
const maxBackoffMs = 30_000

/**
 * Runs processes that share one port, and restarts those that exit. If the first start fails, the
 * worker has printed the reason and everything stops.
 */
export function runWorkers(count: number): void {
  const listening = new Set<Worker>()
  let stoppedAt: number | undefined
  let served = false
  let failures = 0

  function startWorker(): void {
    const startedAt = performance.now()
    const worker = cluster.fork()
    worker.once('listening', () => {
      served = true
      listening.add(worker)
    })
    passOnUnacceptedConnections(worker, () => listening.size > 0)
    // A message to a worker that has just died. Without a listener, the error would end the primary.
    worker.on('error', (error) => log().warn({ err: error }, 'worker not reached'))
    worker.once('exit', (code, signal) => {
      listening.delete(worker)
      if (stoppedAt !== undefined) return exitWhenDone()
      if (!served) return stop(code || 1)
      failures = performance.now() - startedAt < minUptimeMs ? failures + 1 : 0
      const backoffMs = failures === 0 ? 0 : Math.min(1_000 * 2 ** (failures - 1), maxBackoffMs)
      log().error({ pid: worker.process.pid, code, signal }, 'worker exited; restarting')
      setTimeout(() => stoppedAt ?? startWorker(), backoffMs)
    })
  }

  function stop(code: number, signal: NodeJS.Signals = 'SIGTERM'): void {
    stoppedAt ??= performance.now()
    process.exitCode = code
    for (const worker of workers()) worker.process.kill(signal)
    exitWhenDone()
  }

  /** As for one process: a second signal, a second later, exits immediately. */
  function onSignal(): void {
    if (stoppedAt === undefined) stop(0)
    else if (performance.now() - stoppedAt > 1000) stop(1, 'SIGKILL')
  }

  function exitWhenDone(): void {
    if (workers().length > 0) return
    flushLog()
    process.exit()
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal)
  for (let index = 0; index < count; index += 1) startWorker()
}

function workers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter(
    (worker): worker is Worker => worker?.isDead() === false,
  )
}

type ClusterMessage = { act?: string; seq?: number; ack?: number }

/**
 * Node's primary keeps a connection that it has passed to a worker until the worker accepts it. If
 * the worker dies before, Node forgets the connection but never closes it, and its client waits
 * forever. The worker has not read from it, so this makes Node pass it to another worker, as if the
 * dead one had declined it. Without another worker, Node closes it.
 */
function passOnUnacceptedConnections(worker: Worker, hasOtherWorker: () => boolean): void {
  const child = worker.process
  const unaccepted = new Set<number>()
  const send = child.send as (message: ClusterMessage, ...rest: unknown[]) => boolean

  child.send = (message: ClusterMessage, ...rest: unknown[]) => {
    if (message.act === 'newconn' && message.seq !== undefined) unaccepted.add(message.seq)
    return send.call(child, message, ...rest)
  }
  child.on('internalMessage', ({ ack }: ClusterMessage) => {
    if (ack !== undefined) unaccepted.delete(ack)
  })
  // After the exit, and after the last message of the worker.
  child.once('close', () => {
    // While a connection is being passed, Node does not notice the disconnect by itself.
    worker.disconnect()
    const accepted = !hasOtherWorker()
    for (const ack of unaccepted) {
      child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack, accepted })
    }
  })
}
