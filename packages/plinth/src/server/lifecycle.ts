import type { Worker } from 'node:cluster'
import cluster from 'node:cluster'
import type { Server } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { startDraining } from '#http/draining'
import { flushRequestLog } from '#http/request-log'
import { flushLog, log } from '#log/log'
import { sendingConnections } from '#server/http-server'
import { logUncaught } from '#server/uncaught'

/** No operator ends a shutdown that hangs after an exception. Longer than a shutdown takes. */
const maxShutdownMs = 20_000

/**
 * Handles SIGTERM and SIGINT from the start: process 1 of a container has no default handler. A
 * terminal and npm may both forward one Ctrl-C, so only a signal a second later exits immediately.
 * An uncaught exception does the same, and the exit code is then 1.
 */
export function onShutdown(shutDown: () => Promise<void>, { delayMs = 0 } = {}): void {
  let signaledAt: number | undefined

  async function handle(signal: string): Promise<void> {
    const now = performance.now()
    if (signaledAt !== undefined) {
      if (now - signaledAt > 1000) process.exit(1)
      return
    }
    await shutDownFor(signal, 0)
  }

  async function shutDownFor(reason: string, code: number): Promise<void> {
    signaledAt = performance.now()
    log().info(`${reason}: shutting down`)
    try {
      await shutDown()
    } catch (error) {
      log().fatal({ err: error }, 'shutdown failed')
      code = 1
    }
    exit(code)
  }

  function exit(code: number): void {
    flushRequestLog()
    flushLog()
    process.exit(code)
  }

  process.on('SIGTERM', handle)
  process.on('SIGINT', handle)
  logUncaught(() => {
    if (signaledAt !== undefined) return
    setTimeout(exit, delayMs + maxShutdownMs, 1)
    void shutDownFor('uncaught exception', 1)
  })
}

type Limits = {
  /** How long the server still accepts requests, so that load balancers can notice. */
  delayMs?: number
  /** How long idle connections stay open then: their next request may be on its way. */
  lingerMs?: number
  /** How long running requests have to finish. */
  timeoutMs?: number
}

/** Turns load balancers away, closes the port and waits for running requests. */
export async function drain(server: Server, limits: Limits): Promise<void> {
  const { delayMs = 0, lingerMs = 250, timeoutMs = 10_000 } = limits
  startDraining()
  if (delayMs > 0) await sleep(delayMs)
  const closed = new Promise((resolve) => server.once('close', resolve))
  await closePort(server)

  let sweep: NodeJS.Timeout | undefined
  const linger = setTimeout(() => {
    sweep = setInterval(() => setImmediate(closeIdleConnections, server), 50)
  }, lingerMs)
  const timeout = setTimeout(() => server.closeAllConnections(), timeoutMs)
  await closed
  clearTimeout(linger)
  clearInterval(sweep)
  clearTimeout(timeout)
}

/**
 * Called as an immediate, so after the event loop has read what has arrived: a connection with a new
 * request is then not idle. But Node takes a connection for idle while its finished response is
 * still being sent, so nothing is closed before all of them are sent.
 */
function closeIdleConnections(server: Server): void {
  if (sendingConnections(server).length === 0) server.closeIdleConnections()
}

const shortTurnMs = 0.1

/**
 * The kernel resets the connections that wait to be accepted when a port is closed, and their
 * requests are lost. So the port is closed right after a short turn of the event loop that found none.
 * Until then new connections are only accepted: serving them takes time in which others arrive.
 */
async function closePort(server: Server, maxMs = 1000): Promise<void> {
  const accepted: Socket[] = []
  const serveAccepted = holdConnections(server, accepted)
  const startedAt = performance.now()
  let before: number
  let turnStartedAt: number
  do {
    before = accepted.length
    turnStartedAt = performance.now()
    await nextTurn()
  } while (
    (accepted.length > before || performance.now() - turnStartedAt > shortTurnMs) &&
    performance.now() - startedAt < maxMs
  )
  // The method of http.Server would also close idle connections.
  NetServer.prototype.close.call(server)
  serveAccepted()
}

/** Returns a function that passes the connections to the listeners that they were kept from. */
function holdConnections(server: Server, held: Socket[]): () => void {
  const listeners = server.listeners('connection') as ((socket: Socket) => void)[]
  server.removeAllListeners('connection')
  server.on('connection', (socket) => {
    socket.once('error', () => {})
    held.push(socket)
  })
  return () => {
    server.removeAllListeners('connection')
    for (const listener of listeners) server.on('connection', listener)
    for (const socket of held) if (!socket.destroyed) server.emit('connection', socket)
  }
}

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
  logUncaught(() => stoppedAt ?? stop(1))
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
