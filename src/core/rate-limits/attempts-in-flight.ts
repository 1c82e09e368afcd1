import 'server-only'
import { changeUses } from '@/core/rate-limits/change-uses'
import type { Limit, Uses } from '@/core/rate-limits/rate-limit'

/** Longer than an attempt takes. */
const slotSeconds = 5

type Attempt = {
  inFlight: number
  /** Of each limit. */
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
  const slot = Math.floor(Date.now() / 1000 / slotSeconds)
  const current = attemptsIn(slot, key)
  const { changed, read } = await changeUses(
    [{ limit: current, by: 1 }],
    [attemptsIn(slot - 1, key), ...limits],
  )
  const [count = 0] = changed
  const [previous, ...uses] = read
  return {
    inFlight: count + Math.max(0, previous?.uses ?? 0),
    uses,
    end: (counted = []) =>
      changeUses([
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
