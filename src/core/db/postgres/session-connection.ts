import 'server-only'
import { DatabaseTimeout } from '@/core/db/errors'
import { type DatabaseConnection, lostConnection } from '@/core/db/postgres/database-connection'
import { execute, type Rows, type Values } from '@/core/db/postgres/statement'
import { startTimer } from '@/core/db/timer'

/**
 * Pipelines queries on one connection without waiting for results: round trips are most of the cost
 * of a short query. A lost connection is replaced at the next query.
 */
export class SessionConnection {
  readonly #open: () => Promise<DatabaseConnection>
  readonly #limitMs: number
  #connection: DatabaseConnection | undefined
  #opening: Promise<DatabaseConnection> | undefined
  #ended = false

  constructor(open: () => Promise<DatabaseConnection>, limitMs: number) {
    this.#open = open
    this.#limitMs = limitMs
  }

  async query(text: string, values: Values, prepare: boolean): Promise<Rows> {
    const statement = { text, values, prepare }
    if (this.#connection && !this.#connection.isLost) {
      return execute(this.#connection, statement, false, this.#limitMs)
    }
    const deadline = performance.now() + this.#limitMs
    const connection = await within(this.#limitMs, this.#reconnect())
    return execute(connection, statement, false, Math.max(1, deadline - performance.now()))
  }

  async close(limitMs: number): Promise<void> {
    this.#ended = true
    await this.#connection?.close(limitMs)
  }

  #reconnect(): Promise<DatabaseConnection> {
    if (this.#ended) return Promise.reject(lostConnection())
    this.#opening ??= this.#open()
      .then((connection) => {
        this.#connection = connection
        if (this.#ended) void connection.close(0)
        return connection
      })
      .finally(() => {
        this.#opening = undefined
      })
    return this.#opening
  }
}

function within<Result>(limitMs: number, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const cancelTimer = startTimer(limitMs, () => reject(new DatabaseTimeout(limitMs)))
    work.then(resolve, reject).finally(cancelTimer)
  })
}
