import 'server-only'
import { noteFailure, withinDeadline } from '@/core/db/deadline'
import { noteDiskFull } from '@/core/db/disk-full'
import { DatabaseTimeout } from '@/core/db/errors'
import { startTimer } from '@/core/db/timer'

type Waiter = { expiresAt: number; start(): void; expire(): void }

/**
 * The embedded database does one thing at a time and cannot be interrupted. Callers wait here, each
 * up to its limit, so that what is given up is never executed.
 */
export class EmbeddedQueue {
  readonly #waiting: Waiter[] = []
  #busy = false

  async run<Result>(limitMs: number, work: () => Promise<Result>): Promise<Result> {
    await withinDeadline(limitMs, (remainingMs) => this.#wait(remainingMs))
    try {
      return await work()
    } catch (error) {
      noteDiskFull(error)
      throw noteFailure(error)
    } finally {
      this.#startNext()
    }
  }

  #wait(limitMs: number): Promise<void> {
    if (!this.#busy) {
      this.#busy = true
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        expiresAt: performance.now() + limitMs,
        start() {
          cancelTimer()
          resolve()
        },
        expire() {
          cancelTimer()
          reject(new DatabaseTimeout(limitMs))
        },
      }
      const cancelTimer = startTimer(limitMs, () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1)
        waiter.expire()
      })
      this.#waiting.push(waiter)
    })
  }

  /** No timer runs while the database works in this thread, so the limits are checked here too. */
  #startNext(): void {
    const now = performance.now()
    let next = this.#waiting.shift()
    while (next && next.expiresAt <= now) {
      next.expire()
      next = this.#waiting.shift()
    }
    if (next) next.start()
    else this.#busy = false
  }
}
