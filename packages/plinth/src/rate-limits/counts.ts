import { env } from '#config/env'
import { memoryCounts } from '#rate-limits/memory-counts'
import { postgresCounts } from '#rate-limits/postgres-counts'
import { redisCounts } from '#rate-limits/redis-counts'
import type { Counts } from '#rate-limits/stored-count'

/** In Redis or PostgreSQL, shared by all instances, or in memory on the embedded database. */
export function counts(): Counts {
  const { REDIS_URL, embedded } = env()
  if (REDIS_URL) return redisCounts(REDIS_URL)
  return embedded ? memoryCounts() : postgresCounts
}
