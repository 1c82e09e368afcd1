import { lazy } from '#config/lazy'
import {
  type Change,
  type Counts,
  hasPart,
  type Limit,
  storedKey,
  type Uses,
  usesOf,
  windowMs,
} from '#rate-limits/stored-count'

type Count = { uses: number; endsAt: number }

const sweepIntervalMs = 60_000

/** The counts of this process. Time is measured by a clock that no one sets. */
export const memoryCounts = lazy(createMemoryCounts)

function createMemoryCounts(): Counts {
  const stored = new Map<string, Count>()
  setInterval(deleteExpired, sweepIntervalMs).unref()

  function deleteExpired(): void {
    const now = performance.now()
    for (const [key, { endsAt }] of stored) if (endsAt <= now) stored.delete(key)
  }

  function read(limit: Limit): Uses {
    const count = stored.get(storedKey(limit))
    return count ? usesOf(limit, count.uses, count.endsAt - performance.now()) : none
  }

  function change({ limit, by }: Change): Uses {
    const now = performance.now()
    const found = stored.get(storedKey(limit))
    const isCurrent = found !== undefined && found.endsAt > now
    const count = isCurrent ? found : { uses: 0, endsAt: now + windowMs(limit) }
    count.uses += by
    stored.set(storedKey(limit), count)
    return usesOf(limit, count.uses, count.endsAt - now)
  }

  return {
    change: async (changes, limits = []) => ({
      changed: changes.map(change),
      read: limits.map(read),
    }),
    async reset(limit) {
      stored.delete(storedKey(limit))
    },
    async clear(parts) {
      const keys = [...stored.keys()].filter((key) => hasPart(key, parts))
      for (const key of keys) stored.delete(key)
      return keys.length
    },
  }
}

const none: Uses = { uses: 0, seconds: 0 }
