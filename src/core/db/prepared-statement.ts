import 'server-only'
import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { Database } from '@/core/db/client'
import { rowsOf } from '@/core/db/rows'

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
