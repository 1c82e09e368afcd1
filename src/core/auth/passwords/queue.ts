import 'server-only'
import { availableParallelism } from 'node:os'

/** Too many hashes are queued. The caller should try again later. */
export class HashingQueueFull extends Error {
  override name = 'HashingQueueFull'
}

export function isHashingQueueFull(error: unknown): error is HashingQueueFull {
  return error instanceof Error && error.name === 'HashingQueueFull'
}

type Queue = {
  /** Runs one hash when a slot is free. */
  run<Result>(work: () => Promise<Result>): Promise<Result>
  /**
   * Reserves a place for work that will need a hash, before it starts: a rejected caller then costs
   * neither a hash nor a query.
   */
  reserve<Result>(work: () => Promise<Result>): Promise<Result>
}

/** One core stays free for all other requests. */
const defaultConcurrency = Math.max(1, availableParallelism() - 1)

/** A hash takes tens of milliseconds of a core. Without a limit, sign-ins could take all of them. */
export function createHashingQueue(
  concurrency = defaultConcurrency,
  maxWaiting = 16 * concurrency,
): Queue {
  let running = 0
  let reserved = 0
  const waiting: (() => void)[] = []

  return {
    async reserve(work) {
      if (reserved >= concurrency + maxWaiting) throw new HashingQueueFull()
      reserved += 1
      try {
        return await work()
      } finally {
        reserved -= 1
      }
    },
    async run(work) {
      if (running >= concurrency) {
        if (waiting.length >= maxWaiting) throw new HashingQueueFull()
        await new Promise<void>((start) => waiting.push(start))
      } else running += 1
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else running -= 1
      }
    },
  }
}
