import { noteFailure, startTimer, withinDeadline } from '#db/deadline'
import type { DurableFiles } from '#db/embedded/durable-files'
import { DatabaseTimeout } from '#db/errors'
import { noteDiskFull } from '#db/health'

type Waiter = { expiresAt: number; start(): void; expire(): void }

/**
 * The embedded database does one thing at a time and cannot be interrupted. Callers wait here, each
 * up to its limit, so that what is given up is never executed.
 */
export class EmbeddedQueue {
  readonly #files: DurableFiles
  readonly #waiting: Waiter[] = []
  #busy = false

  constructor(files: DurableFiles) {
    this.#files = files
  }

  get use() {
    const busy = Number(this.#busy)
    return { size: 1, busy, idle: 1 - busy, waiting: this.#waiting.length }
  }

  async run<Result>(limitMs: number, work: () => Promise<Result>): Promise<Result> {
    await withinDeadline(limitMs, (remainingMs) => this.#wait(remainingMs))
    try {
      this.#files.requireIntact()
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
