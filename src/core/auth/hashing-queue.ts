import 'server-only'
import { availableParallelism } from 'node:os'

/** More hashes are wanted than can be made: the caller should come back later. */
export class TooManyHashes extends Error {}

type Queue = {
  run<Result>(work: () => Promise<Result>): Promise<Result>
  /** Whether whoever came now would be sent away. */
  isFull(): boolean
}

/**
 * As many at once as there are cores, and a bounded number that waits its turn. A hash takes tens
 * of milliseconds of a core: without a bound, sign-ins would take the whole machine.
 */
export function hashingQueue(atOnce = availableParallelism(), waitingAtMost = 16 * atOnce): Queue {
  let running = 0
  const waiting: (() => void)[] = []

  const isFull = () => running >= atOnce && waiting.length >= waitingAtMost

  return {
    isFull,
    async run(work) {
      if (running >= atOnce) {
        if (isFull()) throw new TooManyHashes()
        await new Promise<void>((turn) => waiting.push(turn))
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
