import 'server-only'
import { noteFailure, withinDeadline } from '@/core/db/deadline'
import { noteDiskFull } from '@/core/db/disk-full'
import { DatabaseTimeout } from '@/core/db/errors'
import { startTimer } from '@/core/db/timer'

type Waiter = { start(): void }

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
      const next = this.#waiting.shift()
      if (next) next.start()
      else this.#busy = false
    }
  }

  #wait(limitMs: number): Promise<void> {
    if (!this.#busy) {
      this.#busy = true
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const cancelTimer = startTimer(limitMs, () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1)
        reject(new DatabaseTimeout(limitMs))
      })
      const waiter: Waiter = {
        start() {
          cancelTimer()
          resolve()
        },
      }
      this.#waiting.push(waiter)
    })
  }
}
