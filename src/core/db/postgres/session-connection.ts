import 'server-only'
import type { DatabaseConnection } from '@/core/db/postgres/database-connection'
import { execute, type Rows, type Values } from '@/core/db/postgres/statement'

/**
 * Pipelines queries on one connection without waiting for results: round trips are most of the cost
 * of a short query. A lost connection is replaced at the next query.
 */
export class SessionConnection {
  readonly #open: () => DatabaseConnection
  readonly #limitMs: number
  #connection: DatabaseConnection | undefined
  #ended = false

  constructor(open: () => DatabaseConnection, limitMs: number) {
    this.#open = open
    this.#limitMs = limitMs
  }

  async query(text: string, values: Values, prepare: boolean): Promise<Rows> {
    if (!this.#connection || (this.#connection.isLost && !this.#ended)) {
      this.#connection = this.#open()
    }
    return execute(this.#connection, { text, values, prepare }, false, this.#limitMs)
  }

  async close(limitMs: number): Promise<void> {
    this.#ended = true
    await this.#connection?.close(limitMs)
  }
}
