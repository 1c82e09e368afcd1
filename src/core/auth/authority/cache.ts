import 'server-only'
import type { LiveSession } from '@/core/auth/scope'

/** What is known of a token; the moments are on the clock of `performance.now()`. */
export type Known = {
  session: LiveSession
  body: string
  /** From when on it is worth a write to let it last longer. */
  extendFrom: number
  until: number
}

type Entry = { known: Known; movedAt: number }

/** Moving an entry at each use would cost more than all else that a use costs. */
const between = 1_000

/**
 * Sessions and their people in memory, by the hash of the token: the latest used of them, so many
 * and no more. What is forgotten cannot come back: an answer that was asked for before is not kept.
 */
export class AuthorityCache {
  /** In the order of their last use, to the second: the longest unused first. */
  #entries = new Map<string, Entry>()
  #keyOfSession = new Map<string, string>()
  #keysOfPerson = new Map<string, Set<string>>()
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
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    if (now >= entry.known.until) {
      this.#remove(key)
      return undefined
    }
    if (now - entry.movedAt >= between) {
      entry.movedAt = now
      this.#entries.delete(key)
      this.#entries.set(key, entry)
    }
    return entry.known
  }

  /** Kept only if nothing was forgotten since that generation: it might have been this. */
  put(key: string, known: Known, generation: number): void {
    if (generation !== this.#generation) return
    this.#remove(key)
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size < this.most) break
      this.#remove(oldest)
    }
    this.#entries.set(key, { known, movedAt: Number.NEGATIVE_INFINITY })
    const { id, user } = known.session
    this.#keyOfSession.set(id, key)
    const keys = this.#keysOfPerson.get(user.id)
    if (keys) keys.add(key)
    else this.#keysOfPerson.set(user.id, new Set([key]))
  }

  forgetSession(id: string): void {
    this.#generation += 1
    const key = this.#keyOfSession.get(id)
    if (key !== undefined) this.#remove(key)
  }

  forgetPerson(id: string): void {
    this.#generation += 1
    for (const key of this.#keysOfPerson.get(id) ?? []) this.#remove(key)
  }

  forgetAll(): void {
    this.#generation += 1
    this.#entries.clear()
    this.#keyOfSession.clear()
    this.#keysOfPerson.clear()
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    const { id, user } = entry.known.session
    this.#entries.delete(key)
    this.#keyOfSession.delete(id)
    const keys = this.#keysOfPerson.get(user.id)
    keys?.delete(key)
    if (keys?.size === 0) this.#keysOfPerson.delete(user.id)
  }
}
