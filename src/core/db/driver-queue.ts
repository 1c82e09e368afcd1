import 'server-only'
import type { Sql } from 'postgres'

const interval = 2_000

/**
 * postgres.js 3.4.9 appends to a list whenever a connection becomes free, searches the whole list at
 * every query, and starts a new list only when no connection is free. In a pool larger than its load
 * that never happens, and each query costs more than the one before. So every 2,000 queries all
 * connections are used at the same time.
 */
export function boundDriverQueue(client: Sql, poolSize: number): void {
  const { unsafe } = client
  let count = 0
  client.unsafe = (...query) => {
    count += 1
    if (count % interval === 0) occupyAllConnections(client, poolSize)
    return unsafe(...query)
  }
}

function occupyAllConnections(client: Sql, poolSize: number): void {
  for (let index = 0; index < poolSize; index += 1) {
    // A real query reports the same error.
    client`select 1`.catch(() => {})
  }
}
