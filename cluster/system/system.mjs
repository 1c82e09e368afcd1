import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { onShutdown } from '../../packages/plinth/scripts/processes.mjs'
import { findPostgres, freePort } from '../../packages/plinth/scripts/services/programs.mjs'
import { startPostgresPair } from '../../packages/plinth/tests/support/services/postgres-pair.mjs'
import { startBalancer } from './balancer.mjs'
import { createInstance } from './instance.mjs'
import { startPooler } from './pooler.mjs'
import { createUsers } from './users.mjs'

/**
 * Two instances of each build behind nginx. One of them reaches the database through PgBouncer, the
 * other one knows both servers of it.
 */
export async function startSystem(builds, { short }) {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-cluster-'))
  onShutdown(() => rm(folder, { recursive: true, force: true }))
  const pair = await startPostgresPair(process.env.TEST_POSTGRES_BIN || findPostgres())
  const pooler = await startPooler(pair.primary)
  // The delay is longer than nginx keeps connections; see packages/plinth/docs/deploying.md.
  const keepaliveSeconds = short ? 1 : 5
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const shared = {
    AUTH_URL: url,
    AUTH_SECRET: 'only-for-tests-'.repeat(3),
    DATABASE_POOL_SIZE: '5',
    SHUTDOWN_DELAY_MS: String(2_000 * keepaliveSeconds),
  }
  const pooled = { ...shared, DATABASE_URL: pooler.url }
  const direct = { ...shared, DATABASE_URL: pair.url }
  const workers = { WEB_CONCURRENCY: short ? '1' : '2' }
  const create = async (name, settings) =>
    createInstance({ name, port: await freePort(), folder, settings })
  const instances = [
    await create('1-pooled', pooled),
    await create('2-direct', { ...direct, ...workers }),
    await create('3-pooled', pooled),
    await create('4-direct', direct),
  ]
  const [one, two, three, four] = instances
  await one.start(builds.first)
  const users = await withSql(pair.primary, (sql) =>
    createUsers(sql, { count: 24, sessions: short ? 20 : 45 }),
  )
  await Promise.all([
    two.start(builds.first),
    three.start(builds.second),
    four.start(builds.second),
  ])
  await startBalancer(port, instances, { keepaliveSeconds })
  return { url, pair, pooler, instances, users, builds }
}

/** For what no client can see or do. */
export async function withSql(server, work) {
  const sql = postgres(server.url, { max: 1, onnotice: () => {} })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 5 })
  }
}
