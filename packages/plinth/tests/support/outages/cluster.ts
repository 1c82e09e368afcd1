import postgres from 'postgres'
import { createDemoAccounts } from '#auth/accounts/users'
import { openPostgres } from '#db/postgres/postgres'
import { createCaller } from '#testing/callers'
import { type Server, startServer } from '#testing/server/server'
import { findPostgres, startPostgres } from '../../../scripts/services/programs.mjs'
import { signalPostgres } from '../services/signal-postgres.mjs'
import { type MuteProxy, startMuteProxy } from './mute-proxy'
import type { LoadUsers } from './request-kinds'

export type Cluster = Awaited<ReturnType<typeof startPostgres>>

/** A cluster of its own, because the tests break it, and a server that reaches it through a proxy. */
export type Stage = {
  cluster: Cluster
  proxy: MuteProxy
  server: Server
  users: LoadUsers
  /** Not through the proxy. */
  sql: postgres.Sql
  stop(): Promise<void>
}

type Options = {
  settings?: Record<string, string>
  cluster?: { parent?: string; settings?: Record<string, string | number> }
}

export async function startStage({
  settings = {},
  cluster: more = {},
}: Options = {}): Promise<Stage> {
  const cluster = await startPostgres(process.env.TEST_POSTGRES_BIN ?? findPostgres(), more)
  const proxy = await startMuteProxy(cluster.url)
  const server = await startServer({
    DATABASE_URL: proxy.url,
    // Other tests run on the same cores, which delays every response.
    DATABASE_TIMEOUT_MS: '1500',
    AUTH_SECRET: 'only-for-tests-'.repeat(3),
    TRUST_PROXY: '1',
    ...settings,
  })
  const sql = postgres(cluster.url, { max: 1, onnotice: () => {} })
  return {
    cluster,
    proxy,
    server,
    sql,
    users: await createUsers(cluster.url),
    async stop() {
      await server.stop()
      await sql.end({ timeout: 1 })
      await proxy.stop()
      await cluster.stop()
    },
  }
}

async function createUsers(url: string): Promise<LoadUsers> {
  const { database, close } = openPostgres({ url, poolSize: 1 })
  await createDemoAccounts(database)
  const reader = await createCaller(database, 'admin')
  const writers = []
  // Several, because each user may change the profile once a second.
  for (let count = 0; count < 6; count += 1) writers.push(await createCaller(database, 'admin'))
  await close()
  return { reader, writers, signsIn: ['viewer@example.com', 'editor@example.com'] }
}

/** A stopped cluster keeps its connections open and is silent. */
export function signalCluster({ pid }: Cluster, signal: 'SIGSTOP' | 'SIGCONT'): void {
  signalPostgres(pid, signal)
}
