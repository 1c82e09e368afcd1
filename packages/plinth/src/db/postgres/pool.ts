import { startTimer } from '#db/deadline'
import { DatabaseTimeout, sqlState } from '#db/errors'
import type { DatabaseConnection } from '#db/postgres/database-connection'

type Options = {
  size: number
  /** Resolves once the connection has responded. */
  open: (onDestroyed: (connection: DatabaseConnection) => void) => Promise<DatabaseConnection>
}

type Waiter = { resolve(connection: DatabaseConnection): void; reject(error: unknown): void }

const tooManyConnections = '53300'

const maxAgeMs = 30 * 60 * 1000

const closeTimeoutMs = 1000

/** While other connections work, a server that refuses one more is not asked at every query. */
const refusedPauseMs = 100

/**
 * Connections that are used by one caller at a time. Callers wait in order, each up to its own
 * limit. If no connection is left and none can be opened, all who wait fail at once.
 */
export class Pool {
  readonly #options: Options
  readonly #idle: DatabaseConnection[] = []
  readonly #established = new Set<DatabaseConnection>()
  readonly #waiting: Waiter[] = []
  #opening = 0
  #openFrom = Number.NEGATIVE_INFINITY
  #ended = false

  constructor(options: Options) {
    this.#options = options
  }

  /** `first` goes before all others that wait. */
  acquire(limitMs: number, { first = false } = {}): Promise<DatabaseConnection> {
    if (this.#ended) return Promise.reject(poolEnded())
    const idle = this.#idle.pop()
    if (idle) return Promise.resolve(idle)
    return new Promise((resolve, reject) => {
      const cancelTimer = startTimer(limitMs, () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1)
        reject(new DatabaseTimeout(limitMs))
      })
      const waiter: Waiter = {
        resolve(connection) {
          cancelTimer()
          resolve(connection)
        },
        reject(error) {
          cancelTimer()
          reject(error)
        },
      }
      if (first) this.#waiting.unshift(waiter)
      else this.#waiting.push(waiter)
      this.#openMore()
    })
  }

  release(connection: DatabaseConnection): void {
    if (connection.isLost) return
    if (this.#ended || performance.now() - connection.openedAt > maxAgeMs) {
      void connection.close(closeTimeoutMs)
      return
    }
    const waiter = this.#waiting.shift()
    if (waiter) waiter.resolve(connection)
    else this.#idle.push(connection)
  }

  get use() {
    const idle = this.#idle.length
    const busy = this.#established.size - idle
    return { size: this.#options.size, busy, idle, waiting: this.#waiting.length }
  }

  /** Connections that are still in use after the limit are destroyed. */
  async end(limitMs: number): Promise<void> {
    this.#ended = true
    for (const waiter of this.#waiting.splice(0)) waiter.reject(poolEnded())
    await Promise.all([...this.#established].map((connection) => connection.close(limitMs)))
  }

  /** One for each caller that waits, up to the size. */
  #openMore(): void {
    const total = this.#established.size + this.#opening
    const wanted = Math.min(this.#options.size - total, this.#waiting.length - this.#opening)
    if (this.#established.size > 0 && performance.now() < this.#openFrom) return
    for (let index = 0; index < wanted; index += 1) void this.#open()
  }

  async #open(): Promise<void> {
    this.#opening += 1
    let connection: DatabaseConnection
    try {
      connection = await this.#options.open((lost) => this.#forget(lost))
    } catch (error) {
      this.#opening -= 1
      this.#openFrom = performance.now() + refusedPauseMs
      if (this.#mayGetConnection(error)) return
      for (const waiter of this.#waiting.splice(0)) waiter.reject(error)
      return
    }
    this.#opening -= 1
    if (connection.isLost) return this.#openMore()
    this.#established.add(connection)
    this.release(connection)
  }

  /** Another connection may become free, or be accepted by a server that has only a few left. */
  #mayGetConnection(error: unknown): boolean {
    if (this.#established.size > 0) return true
    return sqlState(error) === tooManyConnections && this.#opening > 0
  }

  #forget(connection: DatabaseConnection): void {
    if (!this.#established.delete(connection)) return
    const index = this.#idle.indexOf(connection)
    if (index !== -1) this.#idle.splice(index, 1)
    this.#openMore()
  }
}

function poolEnded(): Error {
  return Object.assign(new Error('The pool has ended.'), { code: 'CONNECTION_ENDED' })
}
