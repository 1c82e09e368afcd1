import 'server-only'
import { AsyncLocalStorage } from 'node:async_hooks'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { singleton } from '@/core/config/singleton'
import type * as schema from '@/core/db/schema'

/** The same for PGlite and PostgreSQL. */
export type Database = PgDatabase<PgQueryResultHKT, typeof schema>

export type Connection = {
  database: Database
  /** The same data, with limits for work that no request waits for. */
  background: Database
  /** How long a request waits for the database. */
  timeoutMs: number
  /** One statement with parameters, for libraries with their own SQL. */
  query: Query
  /** Statements on one connection, one after another. They are sent together: one round trip. */
  queryInOrder(statements: Statement[]): Promise<{ rows: readonly unknown[] }[]>
  /** For frequent, fast reads that wait for no lock or write: on a connection of their own. */
  queryPipelined: Query
  /** Resolves once every connection that requests use has responded and the database takes writes. */
  ping(): Promise<void>
  /** One transaction on its own connection, for SQL with many statements. */
  transact<Result>(work: (execute: Execute, change: Change) => Promise<Result>): Promise<Result>
  /** One statement outside of a transaction, such as a concurrent index build. */
  executeAlone(statement: string): Promise<void>
  /** Only the embedded database: its own changes, received before the query that made them ends. */
  listen?: (receive: (change: string) => void) => Promise<() => Promise<void>>
  close(): Promise<void>
}

type Query = (text: string, values: Values) => Promise<{ rows: readonly unknown[] }>

type Values = (string | number | null | Buffer)[]

export type Statement = { text: string; values: Values }

export type Execute = (statements: string) => Promise<Record<string, unknown>[]>

/** One statement with parameters; resolves with the number of rows that it has changed. */
export type Change = (statement: string, values: number[]) => Promise<number>

const current = singleton('database', (): { connection?: Connection } => ({}))

export function setConnection(connection: Connection): void {
  current.connection = connection
}

export async function closeConnection(): Promise<void> {
  const { connection } = current
  delete current.connection
  await connection?.close()
}

export function connection(): Connection {
  if (!current.connection) throw new Error('The database is not open yet.')
  return current.connection
}

export function database(): Database {
  const { database, background } = connection()
  return inBackground.getStore() ? background : database
}

/** Shared, because a request goes through both bundles. */
const inBackground = singleton('database.background', () => new AsyncLocalStorage<true>())

/** Work that no request waits for: `database()` then has other connections and limits. */
export function runInBackground<Result>(work: () => Promise<Result>): Promise<Result> {
  return inBackground.run(true, work)
}
