import 'server-only'
import { availableParallelism } from 'node:os'

/** More hashes are wanted than can be made: the caller should come back later. */
export class TooManyHashes extends Error {
  override name = 'TooManyHashes'
}

export function isTooManyHashes(error: unknown): error is TooManyHashes {
  return error instanceof Error && error.name === 'TooManyHashes'
}

type Queue = {
  /** One hash, in its turn. */
  run<Result>(work: () => Promise<Result>): Promise<Result>
  /**
   * The whole of something that will want a hash, with a place kept for it from the beginning:
   * whoever is sent away has then cost nothing, neither a hash nor a question to the database.
   */
  admit<Result>(work: () => Promise<Result>): Promise<Result>
}

/** All but one: that one answers everybody else. */
const cores = Math.max(1, availableParallelism() - 1)

/**
 * So many at once, and a bounded number that waits its turn. A hash takes tens of milliseconds of
 * a core: without a bound, sign-ins would take the whole machine.
 */
export function hashingQueue(atOnce = cores, waitingAtMost = 16 * atOnce): Queue {
  let running = 0
  let admitted = 0
  const waiting: (() => void)[] = []

  return {
    async admit(work) {
      if (admitted >= atOnce + waitingAtMost) throw new TooManyHashes()
      admitted += 1
      try {
        return await work()
      } finally {
        admitted -= 1
      }
    },
    async run(work) {
      if (running >= atOnce) {
        if (waiting.length >= waitingAtMost) throw new TooManyHashes()
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
