import 'server-only'
import type { Database } from '@/core/db/client'

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
