import 'server-only'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { singleton } from '@/core/config/singleton'
import type * as schema from '@/core/db/schema'

/** The same for PGlite and PostgreSQL. */
export type Database = PgDatabase<PgQueryResultHKT, typeof schema>

export type Connection = {
  database: Database
  /** One statement with parameters, for libraries with their own SQL. */
  query: Query
  /** For frequent, fast reads that wait for no lock or write: on a connection of their own. */
  queryPipelined: Query
  /** Resolves once the database has answered a trivial query. */
  ping(): Promise<unknown>
  /** One transaction on its own connection, for SQL with many statements. */
  transact<Result>(work: (execute: Execute) => Promise<Result>): Promise<Result>
  /** Subscribes to a channel and resolves with the function that unsubscribes. */
  listen(channel: string, subscriber: Subscriber): Promise<() => Promise<void>>
  close(): Promise<void>
}

type Query = (
  text: string,
  values: (string | number | null | Buffer)[],
) => Promise<{ rows: readonly unknown[] }>

type Subscriber = {
  receive(message: string): void
  /** Called at each (re)subscription: earlier messages may have been missed. */
  subscribed(): void
}

export type Execute = (statements: string) => Promise<Record<string, unknown>[]>

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
  return connection().database
}
