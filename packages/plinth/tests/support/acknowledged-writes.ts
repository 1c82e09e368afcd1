import { setTimeout as pause } from 'node:timers/promises'
import type { Connection } from '#db/client'

export type AcknowledgedWrites = {
  /** The numbers whose insert was confirmed. */
  readonly numbers: number[]
  /** Resolves at the next confirmed insert that starts from now on. */
  next(): Promise<void>
  /** The longest time after which an insert was confirmed or failed, in ms. */
  readonly longestMs: number
  stop(): Promise<void>
}

/** Clients that insert numbers through the app's pool, one after another, whatever fails. */
export function startWrites({ query }: Connection, clients: number): AcknowledgedWrites {
  const numbers: number[] = []
  const waiting = new Map<() => void, number>()
  let last = 0
  let longestMs = 0
  let running = true

  async function write(): Promise<void> {
    last += 1
    const number = last
    const startedAt = performance.now()
    try {
      await query('insert into kept (number) values ($1)', [number])
      numbers.push(number)
      for (const [resolve, since] of waiting) {
        if (startedAt < since) continue
        waiting.delete(resolve)
        resolve()
      }
    } catch {
      // A refused connection fails at once.
      await pause(5)
    }
    longestMs = Math.max(longestMs, performance.now() - startedAt)
  }

  const work = Array.from({ length: clients }, async () => {
    while (running) await write()
  })
  return {
    numbers,
    get longestMs() {
      return longestMs
    },
    next: () => new Promise((resolve) => waiting.set(resolve, performance.now())),
    async stop() {
      running = false
      await Promise.all(work)
    },
  }
}
