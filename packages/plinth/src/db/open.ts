import type { Env } from '#config/env'
import type { Connection } from '#db/client'
import { readDatabaseTime } from '#db/clock'
import { openEmbedded } from '#db/embedded/embedded'
import { isPooler } from '#db/postgres/hosts'
import { openPostgres } from '#db/postgres/postgres'
import { startTimeoutMs, waitForServer } from '#db/wait'
import { log } from '#log/log'

export async function openDatabase(env: Env, timeoutMs = startTimeoutMs): Promise<Connection> {
  const opened = env.DATABASE_URL
    ? await openServer(env, env.DATABASE_URL, timeoutMs)
    : await openEmbedded(env.DATA_DIR, env.DATABASE_TIMEOUT_MS)
  await readDatabaseTime(opened)
  return opened
}

async function openServer(env: Env, url: string, timeoutMs: number): Promise<Connection> {
  const directUrl = env.DATABASE_DIRECT_URL
  const deadline = performance.now() + timeoutMs
  const pooler = await waitForServer(() => isPooler(url), 'DATABASE_URL', deadline)
  if (pooler) log().info('DATABASE_URL is a connection pooler: prepared statements are not used')
  const opened = openPostgres({
    url,
    pooler,
    directUrl,
    poolSize: env.DATABASE_POOL_SIZE,
    timeoutMs: env.DATABASE_TIMEOUT_MS,
  })
  try {
    await waitForServer(() => opened.ping(), 'DATABASE_URL', deadline)
    if (directUrl) {
      const pingDirectly = () => opened.transact((execute) => execute('select 1'))
      await waitForServer(pingDirectly, 'DATABASE_DIRECT_URL', deadline)
    }
    return opened
  } catch (error) {
    await opened.close()
    throw error
  }
}
