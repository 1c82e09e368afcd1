import 'server-only'
import type { Database } from '@/core/db/client'

/**
 * A query that is put together once for each database, or transaction, and then only filled in:
 * putting it together takes longer than asking it, so it is worth it on pages that many look at.
 */
export function prepared<Query extends object>(
  build: (database: Database) => Query,
): (database: Database) => Query {
  const queries = new WeakMap<Database, Query>()
  return (database) => {
    const known = queries.get(database)
    if (known) return known
    const query = build(database)
    queries.set(database, query)
    return query
  }
}
