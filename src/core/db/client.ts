import 'server-only'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type * as schema from '@/core/db/schema'
import { singleton } from '@/core/singleton'

/** What queries are written against; the same on PGlite and on PostgreSQL. */
export type Database = PgDatabase<PgQueryResultHKT, typeof schema>

export type Connection = {
  database: Database
  /** One statement with parameters, for libraries that bring their own SQL. */
  query: AskSql
  /** The same for what is asked all day long, answered at once, and waits for no lock or write. */
  ask: AskSql
  /** Resolves when the database has answered a trivial query. */
  ping(): Promise<unknown>
  /** One transaction on a session of its own, for plain SQL that may hold many statements. */
  transact<Result>(work: (run: RunSql) => Promise<Result>): Promise<Result>
  /** Hears what is announced on a channel, until what it resolves with is called. */
  listen(channel: string, ears: Ears): Promise<() => Promise<void>>
  close(): Promise<void>
}

type AskSql = (
  text: string,
  values: (string | number | null | Buffer)[],
) => Promise<{ rows: readonly unknown[] }>

type Ears = {
  heard(message: string): void
  /** Called each time it begins anew: what was announced until then may have been missed. */
  listening(): void
}

export type RunSql = (statements: string) => Promise<Record<string, unknown>[]>

const held = singleton('database', (): { connection?: Connection } => ({}))

export function holdConnection(connection: Connection): void {
  held.connection = connection
}

export async function closeConnection(): Promise<void> {
  const open = held.connection
  delete held.connection
  await open?.close()
}

export function connection(): Connection {
  if (!held.connection) throw new Error('The database is used before it was opened.')
  return held.connection
}

export function database(): Database {
  return connection().database
}
