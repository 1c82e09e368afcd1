import { EventEmitter } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { runInBackground } from '#db/client'
import { logFailure } from '#http/request-log'

/** Finds what another instance left behind, and what is due for a retry. */
const pollIntervalMs = 15_000

/** Work that is cut off at shutdown is done again later. */
const shutdownTimeoutMs = 5_000

/** How many items of each kind may be claimed. */
export type Free = ReadonlyMap<string, number>

type Queue<Item> = {
  /** For the log. */
  name: string
  wakeUp: WakeUp
  /**
   * How many items of each kind are processed at a time. Kinds do not wait for each other, and within
   * one a slow item does not delay the others.
   */
  limits: Free
  kindOf: (item: Item) => string
  /** Returns items that are due, of each kind at most as many as are free. No other process gets them. */
  claim: (free: Free) => Promise<readonly Item[]>
  process: (item: Item, stopping: AbortSignal) => Promise<void>
}

/** Returns a function that stops the worker. */
export function startQueueWorker<Item>(queue: Queue<Item>): () => Promise<void> {
  const stopping = new AbortController()
  const running = runInBackground(() => runUntil(stopping.signal, queue))
  return async () => {
    stopping.abort()
    queue.wakeUp.wake()
    await Promise.race([running, pause(shutdownTimeoutMs, undefined, { ref: false })])
  }
}

async function runUntil<Item>(stopping: AbortSignal, queue: Queue<Item>): Promise<void> {
  const { limits, kindOf, wakeUp } = queue
  const running = new Map<Promise<void>, string>()
  /** Kinds of which the last claim got as many as were free. */
  const mayBeDue = new Set<string>()

  function start(item: Item): void {
    const kind = kindOf(item)
    const done = queue
      .process(item, stopping)
      .catch((error) => warn(error))
      .finally(() => {
        running.delete(done)
        if (mayBeDue.has(kind)) wakeUp.wake()
      })
    running.set(done, kind)
  }

  function freeOf(kind: string): number {
    const taken = [...running.values()].filter((other) => other === kind).length
    return Math.max(0, (limits.get(kind) ?? 0) - taken)
  }

  function warn(error: unknown): void {
    if (stopping.aborted) return
    logFailure(error, `${queue.name} worker failed; retrying later`, { level: 'warn' })
  }

  async function claim(free: Free): Promise<void> {
    if (free.size === 0) return
    const claimed = await queue.claim(free)
    for (const [kind, max] of free) {
      const count = claimed.filter((item) => kindOf(item) === kind).length
      if (count === max) mayBeDue.add(kind)
      else mayBeDue.delete(kind)
    }
    for (const item of claimed) start(item)
  }

  while (!stopping.aborted) {
    // Subscribed before the queue is read, so that no wake-up is missed.
    const woken = wakeUp.next(pollIntervalMs)
    const free = [...limits.keys()].map((kind) => [kind, freeOf(kind)] as const)
    await claim(new Map(free.filter(([, count]) => count > 0))).catch((error) => warn(error))
    await woken
  }
  await Promise.all(running.keys())
}

type WakeUp = {
  /** Without it the worker finds new items at its next poll. */
  wake: () => void
  /** Resolves at the next wake-up, or after the timeout. */
  next: (timeoutMs: number) => Promise<void>
}

export function createWakeUp(emitter = new EventEmitter()): WakeUp {
  return {
    wake: () => void emitter.emit('wake'),
    next: (timeoutMs) =>
      new Promise((resolve) => {
        const timer = setTimeout(end, timeoutMs).unref()
        emitter.once('wake', end)
        function end(): void {
          clearTimeout(timer)
          emitter.off('wake', end)
          resolve()
        }
      }),
  }
}

/** Exponential, from 30 seconds to 15 minutes. */
export function backoffSeconds(attempts: number): number {
  return Math.min(30 * 2 ** (attempts - 1), 15 * 60)
}
