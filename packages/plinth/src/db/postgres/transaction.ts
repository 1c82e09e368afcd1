import { withinDeadline } from '#db/deadline'
import { CommitUnconfirmed, isConnectionLost } from '#db/errors'
import type { DatabaseConnection } from '#db/postgres/database-connection'
import type { Pool } from '#db/postgres/pool'
import { inQuerySpan } from '#log/trace'

/** The part of a transaction of postgres.js that Drizzle uses. */
export type Transaction = {
  unsafe(text: string, values?: Values, options?: { prepare?: boolean }): PendingRows
  savepoint<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>
}

type Options = { limitMs: number; begin: string }

/** Beside the limit of the request, which the failed statement may have used up. */
const rollbackTimeoutMs = 400

/**
 * Runs a transaction on one connection. The limit is for each statement: work between statements
 * does not count. A lost commit may have happened or not: it is an error, and nothing is repeated.
 */
export async function runTransaction<Result>(
  pool: Pool,
  { limitMs, begin }: Options,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const connection = await withinDeadline(limitMs, async (allowedMs) => {
    const deadline = performance.now() + allowedMs
    const acquired = await pool.acquire(allowedMs)
    try {
      await command(acquired, begin, Math.max(1, deadline - performance.now()))
    } catch (error) {
      // It may have begun.
      acquired.destroy(error)
      throw error
    }
    return acquired
  })
  try {
    const statements = new Statements(connection, limitMs)
    const result = await work(statements)
    statements.throwFailure()
    await withinDeadline(limitMs, (allowedMs) => commit(connection, allowedMs))
    return result
  } catch (error) {
    await command(connection, 'rollback', rollbackTimeoutMs).catch((failure) =>
      connection.destroy(failure),
    )
    throw error
  } finally {
    pool.release(connection)
  }
}

async function commit(connection: DatabaseConnection, limitMs: number): Promise<void> {
  try {
    await command(connection, 'commit', limitMs)
  } catch (error) {
    throw isConnectionLost(error) ? new CommitUnconfirmed(error) : error
  }
}

class Statements implements Transaction {
  readonly #connection: DatabaseConnection
  readonly #limitMs: number
  readonly #depth: number
  #failure: unknown

  constructor(connection: DatabaseConnection, limitMs: number, depth = 0) {
    this.#connection = connection
    this.#limitMs = limitMs
    this.#depth = depth
  }

  unsafe(text: string, values: Values = [], { prepare = false } = {}): PendingRows {
    return pendingRows((asArrays) =>
      this.#run((allowedMs) =>
        execute(this.#connection, { text, values, prepare }, asArrays, allowedMs),
      ),
    )
  }

  async savepoint<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    const name = `s${this.#depth}`
    const run = (text: string) => this.#run((ms) => command(this.#connection, text, ms))
    await run(`savepoint ${name}`)
    const nested = new Statements(this.#connection, this.#limitMs, this.#depth + 1)
    try {
      const result = await work(nested)
      nested.throwFailure()
      await run(`release savepoint ${name}`)
      return result
    } catch (error) {
      await run(`rollback to savepoint ${name}`)
      throw error
    }
  }

  /** PostgreSQL would answer the commit of a failed transaction with a rollback, without an error. */
  throwFailure(): void {
    if (this.#failure) throw this.#failure
  }

  async #run<Result>(statement: (allowedMs: number) => Promise<Result>): Promise<Result> {
    try {
      return await withinDeadline(this.#limitMs, statement)
    } catch (error) {
      this.#failure ??= error
      throw error
    }
  }
}

function command(connection: DatabaseConnection, text: string, limitMs: number): Promise<unknown> {
  return inQuerySpan(text, () => connection.run(connection.sql.unsafe(text), limitMs))
}

export type Values = (string | number | null | Buffer)[]

export type Rows = readonly unknown[]

type Statement = { text: string; values?: Values; prepare: boolean }

/** A statement whose form of result is chosen before it runs, as Drizzle expects of the driver. */
export type PendingRows = Promise<Rows> & { values(): Promise<Rows> }

export function execute(
  connection: DatabaseConnection,
  { text, values = [], prepare }: Statement,
  asArrays: boolean,
  limitMs: number,
): Promise<Rows> {
  const query = connection.sql.unsafe(text, values, { prepare })
  return inQuerySpan(text, () => connection.run<Rows>(asArrays ? query.values() : query, limitMs))
}

/** Starts in the next microtask, when `values()` has been called or never will be. */
export function pendingRows(start: (asArrays: boolean) => Promise<Rows>): PendingRows {
  let asArrays = false
  const rows = Promise.resolve().then(() => start(asArrays))
  return Object.assign(rows, {
    values() {
      asArrays = true
      return rows
    },
  })
}
