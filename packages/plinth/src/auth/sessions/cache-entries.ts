import { LRUCache } from 'lru-cache'
import type { CachedSession } from '#auth/sessions/read'

/**
 * The most recently used sessions by cache key, with indexes by session and user for invalidation.
 */
export class CacheEntries {
  #entries: LRUCache<string, CachedSession>
  #keyOfSession = new Map<string, string>()
  /** Most users have one session, and a set for each would take as much memory as the session. */
  #keysOfUser = new Map<string, string | Set<string>>()
  #generation = 0

  constructor(max: number) {
    this.#entries = new LRUCache({
      max,
      dispose: (cached, key) => this.#removeIndexes(key, cached),
    })
  }

  get size(): number {
    return this.#entries.size
  }

  /** Pass it to `put` together with what is read from now on. */
  get generation(): number {
    return this.#generation
  }

  get(key: string, now: number): CachedSession | undefined {
    const cached = this.#entries.get(key)
    if (cached === undefined || now < cached.validUntil) return cached
    this.#entries.delete(key)
    return undefined
  }

  /** Ignored if anything was invalidated since that generation: it may have been this session. */
  put(key: string, cached: CachedSession, generation: number): void {
    if (generation !== this.#generation) return
    this.#entries.set(key, cached)
    const { id, user } = cached.session
    this.#keyOfSession.set(id, key)
    const keys = this.#keysOfUser.get(user.id)
    if (keys === undefined || keys === key) this.#keysOfUser.set(user.id, key)
    else if (typeof keys === 'string') this.#keysOfUser.set(user.id, new Set([keys, key]))
    else keys.add(key)
  }

  invalidateSession(id: string): void {
    this.#generation += 1
    const key = this.#keyOfSession.get(id)
    if (key !== undefined) this.#entries.delete(key)
  }

  invalidateUser(id: string): void {
    this.#generation += 1
    const keys = this.#keysOfUser.get(id) ?? []
    for (const key of typeof keys === 'string' ? [keys] : [...keys]) this.#entries.delete(key)
  }

  invalidateAll(): void {
    this.#generation += 1
    this.#entries.clear()
  }

  #removeIndexes(key: string, { session: { id, user } }: CachedSession): void {
    this.#keyOfSession.delete(id)
    const keys = this.#keysOfUser.get(user.id)
    if (typeof keys === 'string') this.#keysOfUser.delete(user.id)
    else if (keys?.delete(key) && keys.size === 0) this.#keysOfUser.delete(user.id)
  }
}

export const maxEntries = 100_000
