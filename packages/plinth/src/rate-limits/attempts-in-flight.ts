import { databaseNow } from '#db/clock'
import { counts } from '#rate-limits/counts'
import type { Limit, Uses } from '#rate-limits/stored-count'

/** Longer than an attempt takes. */
const slotSeconds = 5

type Attempt = {
  inFlight: number
  /** The uses of each limit. */
  uses: Uses[]
  /** Counts a use of each of the limits. */
  end(counted?: Limit[]): Promise<unknown>
}

/**
 * Counts an attempt until it ends, in all instances, and reads its limits. Counts belong to a slot of
 * time, and those of the last two slots are valid. So attempts of a process that died are forgotten
 * after seconds, and an attempt that ends late does not lower a later count.
 */
export async function startAttempt(key: string, limits: Limit[] = []): Promise<Attempt> {
  // All instances have the same slots, whatever their clocks say.
  const slot = Math.floor(databaseNow() / 1000 / slotSeconds)
  const current = attemptsIn(slot, key)
  const { changed, read } = await counts().change(
    [{ limit: current, by: 1 }],
    [attemptsIn(slot - 1, key), ...limits],
  )
  const [count] = changed
  const [previous, ...uses] = read
  return {
    inFlight: (count?.uses ?? 0) + Math.max(0, previous?.uses ?? 0),
    uses,
    end: (counted = []) =>
      counts().change([
        ...counted.map((limit) => ({ limit, by: 1 as const })),
        { limit: current, by: -1 },
      ]),
  }
}

/** Only counts: the caller decides how many are too many. */
function attemptsIn(slot: number, key: string): Limit {
  const rateLimit = { times: 1, seconds: 2 * slotSeconds }
  return { name: 'in-flight', rateLimit, key: `${key} ${slot}` }
}
