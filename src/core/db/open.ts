import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import type { Connection } from '@/core/db/client'
import { openEmbedded } from '@/core/db/embedded'
import { isUnreachable } from '@/core/db/errors'
import { openPostgres } from '@/core/db/postgres'
import type { Env } from '@/core/env'
import { log } from '@/core/log'
import { StartRefused } from '@/core/start-refused'

/** How long a start waits for a PostgreSQL that is being started beside it. */
const patience = 30_000

export async function openDatabase(env: Env): Promise<Connection> {
  if (!env.DATABASE_URL) return openEmbedded(env.DATA_DIR)
  const opened = openPostgres({
    url: env.DATABASE_URL,
    directUrl: env.DATABASE_DIRECT_URL,
    poolSize: env.DATABASE_POOL_SIZE,
  })
  await firstAnswer(opened)
  return opened
}

async function firstAnswer(opened: Connection): Promise<void> {
  const giveUp = Date.now() + patience
  for (let attempt = 0; ; attempt += 1) {
    try {
      await opened.ping()
      return
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (!isUnreachable(error) || Date.now() > giveUp) {
        await opened.close()
        throw new StartRefused(`DATABASE_URL: the database cannot be used (${reason}).`)
      }
      if (attempt === 0) log().warn(`waiting for the database (${reason})`)
      await wait(500)
    }
  }
}
