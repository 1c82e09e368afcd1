import { AsyncLocalStorage } from 'node:async_hooks'
import { hashingCores } from '#auth/passwords/hashing-cores'
import { createTurns } from '#auth/passwords/turns'
import { count } from '#metrics/metrics'

/** Too many hashes are queued. The caller should try again later. */
export class HashingQueueFull extends Error {
  override name = 'HashingQueueFull'
}

export function isHashingQueueFull(error: unknown): error is HashingQueueFull {
  return error instanceof HashingQueueFull
}

type Queue = {
  /** Runs one hash when a slot is free, in the turn of the client that reserved it. */
  run<Result>(work: () => Promise<Result>): Promise<Result>
  /**
   * Reserves a place for work that will need a hash, before it starts: a rejected caller then costs
   * neither a hash nor a query.
   */
  reserve<Result>(client: string, work: () => Promise<Result>): Promise<Result>
  use(): { running: number; waiting: number }
}

/**
 * A hash takes tens of milliseconds of a core. Without a limit, sign-ins could take all of them.
 *
 * A client gets another place only while it has fewer than are free. One client therefore holds at
 * most half of them, two a third each, and a newcomer still finds a place. Clients take turns, so
 * that a newcomer waits for one hash of each other client and not for all that are queued.
 */
export function createHashingQueue(
  concurrency = hashingCores(),
  maxWaiting = 32 * concurrency,
): Queue {
  let free = concurrency + maxWaiting
  let running = 0
  const held = new Map<string, number>()
  const waiting = createTurns()
  const reservedBy = new AsyncLocalStorage<string>()

  return { reserve, run, use: () => ({ running, waiting: waiting.size() }) }

  async function reserve<Result>(client: string, work: () => Promise<Result>): Promise<Result> {
    const holds = held.get(client) ?? 0
    if (holds >= free) {
      count('plinth_password_hashes_refused_total')
      throw new HashingQueueFull()
    }
    held.set(client, holds + 1)
    free -= 1
    try {
      return await reservedBy.run(client, work)
    } finally {
      free += 1
      const remaining = (held.get(client) ?? 1) - 1
      if (remaining > 0) held.set(client, remaining)
      else held.delete(client)
    }
  }

  async function run<Result>(work: () => Promise<Result>): Promise<Result> {
    const client = reservedBy.getStore()
    // Work of the server itself, such as demo accounts, has no client.
    if (client === undefined) return reserve('', () => run(work))
    if (running >= concurrency) await new Promise<void>((start) => waiting.add(client, start))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.take()
      if (next) next()
      else running -= 1
    }
  }
}
