import 'server-only'
import type { DatabaseConnection } from '@/core/db/postgres/database-connection'

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
  return connection.run<Rows>(asArrays ? query.values() : query, limitMs)
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
