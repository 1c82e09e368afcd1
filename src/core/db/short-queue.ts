import 'server-only'
import type { Sql } from 'postgres'

const every = 2_000

/**
 * The driver (3.4.9) appends to a list whenever a connection becomes free, searches all of that
 * list at every query, and begins a new one only when none is free. In a pool that is larger than
 * its load that moment never comes, and each query costs more than the one before. So once in a
 * while as many are asked at once as there are connections.
 */
export function keepQueueShort(client: Sql, poolSize: number): void {
  const { unsafe } = client
  let asked = 0
  client.unsafe = (...query) => {
    asked += 1
    if (asked % every === 0) askAll(client, poolSize)
    return unsafe(...query)
  }
}

function askAll(client: Sql, poolSize: number): void {
  for (let turn = 0; turn < poolSize; turn += 1) {
    // Whoever needs an answer will see the same fault.
    client`select 1`.catch(() => {})
  }
}
