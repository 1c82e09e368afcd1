import 'server-only'
import type { Known } from '@/core/auth/authority/known'

/** Moving an entry at each use would cost more than all else that a use costs. */
const between = 1_000

/**
 * Sessions and their people in memory, by the hash of the token: the latest used of them, so many
 * and no more. What is forgotten cannot come back: an answer that was asked for before is not kept.
 */
export class AuthorityCache {
  /** In the order of their last use, to the second: the longest unused first. */
  #entries = new Map<string, Known>()
  #keyOfSession = new Map<string, string>()
  /** Most people have one session, and a set for each would take as much room as the session. */
  #keysOfPerson = new Map<string, string | Set<string>>()
  #generation = 0

  constructor(readonly most: number) {}

  get size(): number {
    return this.#entries.size
  }

  /** To be handed to `put` with what is read from now on. */
  get generation(): number {
    return this.#generation
  }

  get(key: string, now: number): Known | undefined {
    const known = this.#entries.get(key)
    if (known === undefined) return undefined
    if (now >= known.until) {
      this.#remove(key)
      return undefined
    }
    if (now - known.movedAt >= between) {
      known.movedAt = now
      this.#entries.delete(key)
      this.#entries.set(key, known)
    }
    return known
  }

  /** Kept only if nothing was forgotten since that generation: it might have been this. */
  put(key: string, known: Known, generation: number): void {
    if (generation !== this.#generation) return
    this.#remove(key)
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size < this.most) break
      this.#remove(oldest)
    }
    this.#entries.set(key, known)
    this.#keyOfSession.set(known.id, key)
    const others = this.#keysOfPerson.get(known.userId)
    if (others === undefined) this.#keysOfPerson.set(known.userId, key)
    else if (typeof others === 'string')
      this.#keysOfPerson.set(known.userId, new Set([others, key]))
    else others.add(key)
  }

  forgetSession(id: string): void {
    this.#generation += 1
    const key = this.#keyOfSession.get(id)
    if (key !== undefined) this.#remove(key)
  }

  forgetPerson(id: string): void {
    this.#generation += 1
    const keys = this.#keysOfPerson.get(id) ?? []
    for (const key of typeof keys === 'string' ? [keys] : keys) this.#remove(key)
  }

  forgetAll(): void {
    this.#generation += 1
    this.#entries.clear()
    this.#keyOfSession.clear()
    this.#keysOfPerson.clear()
  }

  #remove(key: string): void {
    const known = this.#entries.get(key)
    if (known === undefined) return
    this.#entries.delete(key)
    this.#keyOfSession.delete(known.id)
    const keys = this.#keysOfPerson.get(known.userId)
    if (typeof keys === 'string') this.#keysOfPerson.delete(known.userId)
    else if (keys?.delete(key) && keys.size === 0) this.#keysOfPerson.delete(known.userId)
  }
}
