import 'server-only'
import { once } from 'node:events'
import { Redis } from 'ioredis'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
} from 'rate-limiter-flexible'
import { env } from '@/core/config/env'
import { singleton } from '@/core/config/singleton'
import { connection } from '@/core/db/client'
import { log } from '@/core/log/log'

const timeoutMs = 500

type LimiterOptions = { keyPrefix: string; points: number; duration: number }

/**
 * Counts in Redis or PostgreSQL, shared by all instances, or in memory on the embedded database.
 * While Redis is unavailable each instance counts for itself: a generous limit is better than a
 * failed sign-in.
 */
export function createLimiter(options: LimiterOptions): RateLimiterAbstract {
  const { REDIS_URL, embedded } = env()
  if (REDIS_URL) {
    return new RateLimiterRedis({
      ...options,
      storeClient: redis(REDIS_URL),
      rejectIfRedisNotReady: true,
      insuranceLimiter: new RateLimiterMemory(options),
    })
  }
  if (embedded) return new RateLimiterMemory(options)
  return new RateLimiterPostgres({
    ...options,
    storeType: 'client',
    storeClient: { query },
    tableName: 'rate_limits',
    tableCreated: true,
  })
}

/** Whether the counts are in PostgreSQL. */
export function countsInDatabase(): boolean {
  const { REDIS_URL, embedded } = env()
  return !REDIS_URL && !embedded
}

/** Before the first request, so that it is counted in Redis. An unavailable Redis delays the start by 2 s. */
export async function connectRateLimits(): Promise<void> {
  const { REDIS_URL } = env()
  if (!REDIS_URL) return
  const client = redis(REDIS_URL)
  if (client.status === 'ready') return
  await once(client, 'ready', { signal: AbortSignal.timeout(2000) }).catch(() => {})
}

type Query = { text: string; values: (string | number | null)[] }

/** The limiter tells an absent row by `rowCount`. */
async function query({ text, values }: Query) {
  const { rows } = await connection().query(text, values)
  return { rows, rowCount: rows.length }
}

function redis(url: string): Redis {
  return singleton('limits.redis', () => {
    const client = new Redis(url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 1,
      // A Redis that accepts and never answers is unavailable too. The first command finds out, and the
      // connection is closed, so that no other command waits.
      commandTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      connectTimeout: timeoutMs,
    })
    client.on('error', ({ message }) => log().warn(`REDIS_URL: ${message}`))
    return client
  })
}
