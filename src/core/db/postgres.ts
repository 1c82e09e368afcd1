import 'server-only'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { withAfterCommit } from '@/core/db/after-commit'
import type { Connection } from '@/core/db/client'
import { boundDriverQueue } from '@/core/db/driver-queue'
import * as schema from '@/core/db/schema'

export type PostgresOptions = {
  url: string
  /** Bypasses a pooler; if it is set, `url` is a pooler. */
  directUrl?: string | undefined
  poolSize: number
}

export function openPostgres({ url, directUrl, poolSize }: PostgresOptions): Connection {
  const prepare = directUrl === undefined
  const settings = {
    connect_timeout: 5,
    // The driver's default backoff grows to 20 s, which every request would wait.
    backoff: (attempts: number) => Math.min(3 ** attempts / 100, 0.5),
    max_lifetime: 30 * 60,
    onnotice: () => {},
    // A pooler in transaction mode rejects startup parameters and mixes up prepared statements.
    prepare,
    connection: {
      application_name: 'plinth',
      ...(prepare ? { statement_timeout: 10_000 } : {}),
    },
  }
  const client = postgres(url, { ...settings, max: poolSize })
  boundDriverQueue(client, poolSize)
  // Pipelines queries on one connection without waiting for results: round trips are most of the
  // cost of a short query.
  const pipelined = postgres(url, { ...settings, max: 1 })

  return {
    database: withAfterCommit(drizzle(client, { schema })),
    query: async (text, values) => ({ rows: await client.unsafe(text, values, { prepare }) }),
    queryPipelined: async (text, values) => ({
      rows: await pipelined.unsafe(text, values, { prepare }),
    }),
    ping: () => client`select 1`,
    async transact(work) {
      // Outside the pool, which has a statement timeout: a migration may take longer.
      const session = postgres(directUrl ?? url, { max: 1, connect_timeout: 5, onnotice: () => {} })
      try {
        const result = await session.begin((transaction) =>
          work(async (statements) => [...(await transaction.unsafe(statements))]),
        )
        return result as Awaited<ReturnType<typeof work>>
      } finally {
        await session.end()
      }
    },
    async listen(channel, { receive, subscribed }) {
      // Not through a pooler, which gives each query another session.
      const listener = postgres(directUrl ?? url, {
        max: 1,
        connect_timeout: 5,
        onnotice: () => {},
        connection: { application_name: 'plinth listener' },
      })
      const stop = () => listener.end({ timeout: 0 })
      try {
        await listener.listen(channel, receive, subscribed)
      } catch (error) {
        await stop()
        throw error
      }
      return stop
    },
    async close() {
      await Promise.all([client.end({ timeout: 5 }), pipelined.end({ timeout: 5 })])
    },
  }
}
