import { AsyncLocalStorage } from 'node:async_hooks'
import type { SQL } from 'drizzle-orm'
import { type PgDatabase, PgDialect, type PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type * as schema from '#db/schema'

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
  queryPipelined: PipelinedQuery
  /** Resolves once every connection that requests use has responded and the database takes writes. */
  ping(): Promise<void>
  /** One transaction on its own connection, for SQL with many statements. */
  transact<Result>(work: (execute: Execute, change: Change) => Promise<Result>): Promise<Result>
  /** One statement outside of a transaction, such as a concurrent index build. */
  executeAlone(statement: string): Promise<void>
  /** How busy its connections are. */
  poolUse(): PoolUse[]
  /** Only the embedded database: its disk and backups. */
  storage?: () => Promise<StorageUse>
  /** Only the embedded database: its own changes, received before the query that made them ends. */
  listen?: (receive: (change: string) => void) => Promise<() => Promise<void>>
  close(): Promise<void>
}

export type StorageUse = {
  sizeBytes: number
  freeBytes: number
  /** Since the last backup, or since the database was created if there is none. */
  backupAgeSeconds: number
}

export type PoolUse = {
  pool: 'requests' | 'background' | 'embedded'
  /** How many connections it may open. */
  size: number
  busy: number
  idle: number
  /** Callers that wait for a connection. */
  waiting: number
}

type Query = (text: string, values: Values) => Promise<{ rows: readonly unknown[] }>

/**
 * With the same `connectionId`, two statements reached the same database on the same server. Undefined
 * through a pooler, which may send each one elsewhere.
 */
type PipelinedQuery = (
  text: string,
  values: Values,
) => Promise<{ rows: readonly unknown[]; connectionId?: number | undefined }>

type Values = (string | number | null | Buffer)[]

export type Statement = { text: string; values: Values }

export type Execute = (statements: string) => Promise<Record<string, unknown>[]>

/** One statement with parameters; resolves with the number of rows that it has changed. */
export type Change = (statement: string, values: number[]) => Promise<number>

const current: { connection?: Connection } = {}

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

/** Empty before the database is open. */
export function poolUse(): PoolUse[] {
  return current.connection?.poolUse() ?? []
}

export function database(): Database {
  const { database, background } = connection()
  return inBackground.getStore() ? background : database
}

const inBackground = new AsyncLocalStorage<true>()

/** Work that no request waits for: `database()` then has other connections and limits. */
export function runInBackground<Result>(work: () => Promise<Result>): Promise<Result> {
  return inBackground.run(true, work)
}

/** Builds a query once per database or transaction: building it takes longer than running it. */
export function preparedQuery<Query extends object>(
  build: (database: Database) => Query,
): (database: Database) => Query {
  const queries = new WeakMap<Database, Query>()
  return (database) => {
    const cached = queries.get(database)
    if (cached) return cached
    const query = build(database)
    queries.set(database, query)
    return query
  }
}

/**
 * A statement with placeholders that is built once, and planned once on each connection. A query of
 * Drizzle is built anew in each transaction, which takes longer than to run it.
 */
export function preparedStatement<Row>(name: string, statement: SQL) {
  const query = new PgDialect().sqlToQuery(statement)
  return async (
    database: Database,
    values: Record<string, string | number | null | Buffer>,
  ): Promise<readonly Row[]> => {
    const prepared = database._.session.prepareQuery(query, undefined, name, false)
    return rowsOf(await prepared.execute(values))
  }
}

/** The rows of `execute()`: PGlite returns an object with rows, postgres.js the rows themselves. */
export function rowsOf<Row>(result: unknown): readonly Row[] {
  return Array.isArray(result) ? result : (result as { rows: readonly Row[] }).rows
}
