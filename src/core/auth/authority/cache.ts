import 'server-only'
import type { LiveSession } from '@/core/auth/scope'

/** What is known of a token, until the moment on the clock of `performance.now()`. */
export type Known = { session: LiveSession; body: string; until: number }

/**
 * Sessions and their people in memory, by the hash of the token: the latest used of them, so many
 * and no more. What is forgotten cannot come back: an answer that was asked for before is not kept.
 */
export class AuthorityCache {
  /** In the order of their last use, the longest unused first. */
  #known = new Map<string, Known>()
  #keyOfSession = new Map<string, string>()
  #keysOfPerson = new Map<string, Set<string>>()
  #generation = 0

  constructor(readonly most: number) {}

  get size(): number {
    return this.#known.size
  }

  /** To be handed to `put` with what is read from now on. */
  get generation(): number {
    return this.#generation
  }

  get(key: string, now: number): Known | undefined {
    const known = this.#known.get(key)
    if (known === undefined) return undefined
    this.#known.delete(key)
    if (now >= known.until) {
      this.#unlist(key, known)
      return undefined
    }
    this.#known.set(key, known)
    return known
  }

  /** Kept only if nothing was forgotten since that generation: it might have been this. */
  put(key: string, known: Known, generation: number): void {
    if (generation !== this.#generation) return
    this.#remove(key)
    for (const oldest of this.#known.keys()) {
      if (this.#known.size < this.most) break
      this.#remove(oldest)
    }
    this.#known.set(key, known)
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
    this.#known.clear()
    this.#keyOfSession.clear()
    this.#keysOfPerson.clear()
  }

  #remove(key: string): void {
    const known = this.#known.get(key)
    if (known === undefined) return
    this.#known.delete(key)
    this.#unlist(key, known)
  }

  #unlist(key: string, { session: { id, user } }: Known): void {
    this.#keyOfSession.delete(id)
    const keys = this.#keysOfPerson.get(user.id)
    keys?.delete(key)
    if (keys?.size === 0) this.#keysOfPerson.delete(user.id)
  }
}
