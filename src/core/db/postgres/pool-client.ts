import 'server-only'
import { withinDeadline } from '@/core/db/clock'
import type { DatabaseConnection } from '@/core/db/postgres/database-connection'
import type { Pool } from '@/core/db/postgres/pool'
import {
  execute,
  type PendingRows,
  pendingRows,
  type Rows,
  runTransaction,
  type Transaction,
  type Values,
} from '@/core/db/postgres/transaction'

/** The part of postgres.js that Drizzle uses, on a pool with a limit for each statement. */
export class PoolClient {
  /** Drizzle adds its own; every connection has them. */
  readonly options = { parsers: {}, serializers: {} }
  readonly #pool: Pool
  readonly #limitMs: number
  readonly #begin: string

  /** `begin` starts a transaction, with settings of its own where the pool has none. */
  constructor(pool: Pool, limitMs: number, begin: string) {
    this.#pool = pool
    this.#limitMs = limitMs
    this.#begin = begin
  }

  unsafe(text: string, values: Values, { prepare = false } = {}): PendingRows {
    return pendingRows((asArrays) =>
      this.#use((connection, remainingMs) =>
        execute(connection, { text, values, prepare }, asArrays, remainingMs),
      ),
    )
  }

  /** Sends all of them before the first result, on one connection, which runs them in order. */
  unsafeInOrder(
    statements: { text: string; values: Values }[],
    { prepare }: { prepare: boolean },
  ): Promise<Rows[]> {
    return this.#use((connection, remainingMs) =>
      Promise.all(
        statements.map(({ text, values }) =>
          execute(connection, { text, values, prepare }, false, remainingMs),
        ),
      ),
    )
  }

  begin<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return runTransaction(this.#pool, { limitMs: this.#limitMs, begin: this.#begin }, work)
  }

  /** Before all who wait: the pool is alive if one of its connections responds. */
  check(text: string): Promise<Rows> {
    return this.#use(
      (connection, remainingMs) =>
        execute(connection, { text, prepare: false }, false, remainingMs),
      true,
    )
  }

  async #use<Result>(
    work: (connection: DatabaseConnection, remainingMs: number) => Promise<Result>,
    first = false,
  ): Promise<Result> {
    return withinDeadline(this.#limitMs, async (allowedMs) => {
      const deadline = performance.now() + allowedMs
      const connection = await this.#pool.acquire(allowedMs, { first })
      try {
        return await work(connection, Math.max(1, deadline - performance.now()))
      } finally {
        this.#pool.release(connection)
      }
    })
  }
}
