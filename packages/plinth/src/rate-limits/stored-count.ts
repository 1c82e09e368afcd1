/** `seconds`: at most 31 days. */
export type RateLimit = { times: number; seconds: number }

/** A rate limit and whose uses it counts. */
export type Limit = { name: string; rateLimit: RateLimit; key: string }

/** `seconds` until the count starts again, never more than those of the limit. */
export type Uses = { uses: number; seconds: number }

/** A use that has happened, or one less, whether or not the limit is reached. */
export type Change = { limit: Limit; by: 1 | -1 }

export type Counted = { changed: Uses[]; read: Uses[] }

/**
 * Where uses are counted. Each store measures time with a clock of its own, which all of its users share
 * or no one sets. The clock of the machine does not matter.
 */
export type Counts = {
  /**
   * Changes some counts, then reads others. A concurrent attempt never sees a lowered count without the
   * raised ones that belong to it.
   */
  change(changes: Change[], read?: Limit[]): Promise<Counted>
  reset(limit: Limit): Promise<void>
  /** Deletes the counts whose key has one of these parts. Returns how many. */
  clear(parts: readonly string[]): Promise<number>
}

export const maxWindowMs = 31 * 24 * 60 * 60_000

export function windowMs({ rateLimit }: Limit): number {
  return Math.min(rateLimit.seconds * 1000, maxWindowMs)
}

const prefix = 'plinth.'

export function storedKey({ name, key }: Limit): string {
  return `${prefix}${name}:${key}`
}

/** A key is an IP range, a user id or the hash of an email, or several of them after one another. */
export function hasPart(storedKey: string, parts: readonly string[]): boolean {
  const key = storedKey.slice(storedKey.indexOf(':') + 1)
  return storedKey.startsWith(prefix) && key.split(' ').some((part) => parts.includes(part))
}

/** A time beyond the window is not trusted, so that no error in a stored time locks anyone out. */
export function usesOf(limit: Limit, uses: number, msLeft: number): Uses {
  if (msLeft <= 0) return { uses: 0, seconds: 0 }
  return { uses, seconds: Math.ceil(Math.min(msLeft, windowMs(limit)) / 1000) }
}
