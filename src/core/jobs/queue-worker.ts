import 'server-only'
import { EventEmitter, once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { singleton } from '@/core/config/singleton'
import { runInBackground } from '@/core/db/client'
import { logFailure } from '@/core/http/request-log'

/** Finds what another instance left behind, and what is due for a retry. */
const pollIntervalMs = 15_000

/** What is cut off at shutdown is done again later. */
const shutdownTimeoutMs = 5_000

type Queue<Item> = {
  /** For the log. */
  name: string
  wakeUp: WakeUp
  /** How many items are processed at a time, so that a slow one does not delay the others. */
  concurrency: number
  /** Returns at most `max` items that are due. No other process gets them. */
  claim: (max: number) => Promise<readonly Item[]>
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
  const running = new Set<Promise<void>>()

  function start(item: Item): void {
    const done = queue
      .process(item, stopping)
      .catch((error) => warn(error))
      .finally(() => running.delete(done))
    running.add(done)
  }

  function warn(error: unknown): void {
    if (stopping.aborted) return
    logFailure(error, `${queue.name} worker failed; retrying later`, { level: 'warn' })
  }

  while (!stopping.aborted) {
    // Subscribed before the queue is read, so that no wake-up is missed.
    const woken = queue.wakeUp.next(pollIntervalMs)
    const max = queue.concurrency - running.size
    const claimed = await queue.claim(max).catch((error) => warn(error))
    for (const item of claimed ?? []) start(item)
    // Otherwise there may be more.
    if ((claimed?.length ?? 0) < max) await woken
    else if (running.size === queue.concurrency) await Promise.race(running)
  }
  await Promise.all(running)
}

type WakeUp = {
  /** Without it the worker finds new items at its next poll. */
  wake: () => void
  /** Resolves at the next wake-up, or after the timeout. */
  next: (timeoutMs: number) => Promise<void>
}

/** Shared by name, because a worker runs in one bundle and its queue is filled in both. */
export function wakeUpOf(name: string): WakeUp {
  const emitter = singleton(`${name}.wake`, () => new EventEmitter())
  return {
    wake: () => void emitter.emit('wake'),
    async next(timeoutMs) {
      await once(emitter, 'wake', { signal: AbortSignal.timeout(timeoutMs) }).catch(() => {})
    },
  }
}

/** Exponential, from 30 seconds to 15 minutes. */
export function backoffSeconds(attempts: number): number {
  return Math.min(30 * 2 ** (attempts - 1), 15 * 60)
}
