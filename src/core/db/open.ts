import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import type { Env } from '@/core/config/env'
import { StartupError } from '@/core/config/startup-error'
import type { Connection } from '@/core/db/client'
import { readDatabaseTime } from '@/core/db/clock'
import { openEmbedded } from '@/core/db/embedded'
import { isDatabaseUnavailable } from '@/core/db/errors'
import { openPostgres } from '@/core/db/postgres'
import { log } from '@/core/log/log'

/** For a PostgreSQL that starts at the same time. */
const timeoutMs = 30_000

export async function openDatabase(env: Env): Promise<Connection> {
  const opened = env.DATABASE_URL
    ? await openServer({ ...env, DATABASE_URL: env.DATABASE_URL })
    : await openEmbedded(env.DATA_DIR, env.DATABASE_TIMEOUT_MS)
  await readDatabaseTime(opened)
  return opened
}

async function openServer(env: Env & { DATABASE_URL: string }): Promise<Connection> {
  const opened = openPostgres({
    url: env.DATABASE_URL,
    directUrl: env.DATABASE_DIRECT_URL,
    poolSize: env.DATABASE_POOL_SIZE,
    timeoutMs: env.DATABASE_TIMEOUT_MS,
  })
  await waitForDatabase(opened)
  return opened
}

async function waitForDatabase(opened: Connection): Promise<void> {
  const deadline = Date.now() + timeoutMs
  for (let attempt = 0; ; attempt += 1) {
    try {
      await opened.ping()
      return
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (!isDatabaseUnavailable(error) || Date.now() > deadline) {
        await opened.close()
        throw new StartupError(`DATABASE_URL: the database is unavailable (${reason}).`)
      }
      if (attempt === 0) log().warn(`waiting for the database (${reason})`)
      await pause(500)
    }
  }
}
