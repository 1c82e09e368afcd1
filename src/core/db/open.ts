import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import { type Env, StartupError } from '@/core/config/env'
import type { Connection } from '@/core/db/client'
import { readDatabaseTime } from '@/core/db/clock'
import { openEmbedded } from '@/core/db/embedded/embedded'
import { explainConnectError, isDatabaseUnavailable, isRefusal } from '@/core/db/errors'
import { isPooler } from '@/core/db/postgres/hosts'
import { openPostgres } from '@/core/db/postgres/postgres'
import { log } from '@/core/log/log'

/** For a PostgreSQL that starts at the same time. */
const defaultTimeoutMs = 30_000

export async function openDatabase(env: Env, timeoutMs = defaultTimeoutMs): Promise<Connection> {
  const opened = env.DATABASE_URL
    ? await openServer(env, env.DATABASE_URL, timeoutMs)
    : await openEmbedded(env.DATA_DIR, env.DATABASE_TIMEOUT_MS)
  await readDatabaseTime(opened)
  return opened
}

async function openServer(env: Env, url: string, timeoutMs: number): Promise<Connection> {
  const directUrl = env.DATABASE_DIRECT_URL
  const deadline = performance.now() + timeoutMs
  const pooler = await waitUntil(() => isPooler(url), 'DATABASE_URL', deadline)
  if (pooler) log().info('DATABASE_URL is a connection pooler: prepared statements are not used')
  const opened = openPostgres({
    url,
    pooler,
    directUrl,
    poolSize: env.DATABASE_POOL_SIZE,
    timeoutMs: env.DATABASE_TIMEOUT_MS,
  })
  try {
    await waitUntil(() => opened.ping(), 'DATABASE_URL', deadline)
    if (directUrl) {
      const pingDirectly = () => opened.transact((execute) => execute('select 1'))
      await waitUntil(pingDirectly, 'DATABASE_DIRECT_URL', deadline)
    }
    return opened
  } catch (error) {
    await opened.close()
    throw error
  }
}

async function waitUntil<Result>(
  attemptToReach: () => Promise<Result>,
  setting: string,
  deadline: number,
): Promise<Result> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await attemptToReach()
    } catch (error) {
      const { problem, remedy } = explainConnectError(error, setting)
      const mayHelp = isDatabaseUnavailable(error) && !isRefusal(error)
      if (!mayHelp || performance.now() > deadline) throw new StartupError(`${problem} ${remedy}`)
      if (attempt === 0) log().warn(`waiting for the database. ${problem}`)
      await pause(500)
    }
  }
}
