import 'server-only'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { followCommits } from '@/core/db/after-commit'
import type { Connection } from '@/core/db/client'
import * as schema from '@/core/db/schema'
import { keepQueueShort } from '@/core/db/short-queue'

export type PostgresOptions = {
  url: string
  /** Past any pooler; its presence says that `url` is one. */
  directUrl?: string | undefined
  poolSize: number
}

export function openPostgres({ url, directUrl, poolSize }: PostgresOptions): Connection {
  const prepare = directUrl === undefined
  const settings = {
    connect_timeout: 5,
    // The library's own pauses grow to twenty seconds, which everybody would wait for an answer,
    // and for the database to be noticed when it is back.
    backoff: (attempts: number) => Math.min(3 ** attempts / 100, 0.5),
    max_lifetime: 30 * 60,
    onnotice: () => {},
    // A pooler in transaction mode refuses start-up parameters and mixes up prepared statements.
    prepare,
    connection: {
      application_name: 'plinth',
      ...(prepare ? { statement_timeout: 10_000 } : {}),
    },
  }
  const client = postgres(url, { ...settings, max: poolSize })
  keepQueueShort(client, poolSize)
  // One connection to which questions are sent without waiting for the answer before: many go out,
  // and come back, at once, which is most of what a short question costs.
  const line = postgres(url, { ...settings, max: 1 })

  return {
    database: followCommits(drizzle(client, { schema })),
    query: async (text, values) => ({ rows: await client.unsafe(text, values, { prepare }) }),
    ask: async (text, values) => ({ rows: await line.unsafe(text, values, { prepare }) }),
    ping: () => client`select 1`,
    async transact(work) {
      // Not from the pool: a migration may take longer than any query should.
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
    async listen(channel, { heard, listening }) {
      // Never through a pooler in transaction mode, which gives each query another session.
      const listener = postgres(directUrl ?? url, {
        max: 1,
        connect_timeout: 5,
        onnotice: () => {},
        connection: { application_name: 'plinth listener' },
      })
      const stop = () => listener.end({ timeout: 0 })
      try {
        await listener.listen(channel, heard, listening)
      } catch (error) {
        await stop()
        throw error
      }
      return stop
    },
    async close() {
      await Promise.all([client.end({ timeout: 5 }), line.end({ timeout: 5 })])
    },
  }
}
