import 'server-only'
import { once } from 'node:events'
import { Redis } from 'ioredis'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
} from 'rate-limiter-flexible'
import { connection } from '@/core/db/client'
import { env } from '@/core/env'
import { log } from '@/core/log'
import { singleton } from '@/core/singleton'

type Limit = { keyPrefix: string; points: number; duration: number }

/**
 * Counts in Redis or PostgreSQL where there is one, shared by all instances; else in the memory of
 * the only process. Without Redis for a while each instance counts for itself: a limit that is too
 * generous is better than nobody being able to sign in.
 */
export function createLimiter(limit: Limit): RateLimiterAbstract {
  const { REDIS_URL, embedded } = env()
  if (REDIS_URL) {
    return new RateLimiterRedis({
      ...limit,
      storeClient: redis(REDIS_URL),
      rejectIfRedisNotReady: true,
      insuranceLimiter: new RateLimiterMemory(limit),
    })
  }
  if (embedded) return new RateLimiterMemory(limit)
  return new RateLimiterPostgres({
    ...limit,
    storeType: 'client',
    storeClient: { query: (query: Query) => connection().query(query.text, query.values) },
    tableName: 'rate_limits',
    tableCreated: true,
  })
}

/** Before the first request, so that none is counted apart; a Redis that is away holds nobody up. */
export async function connectLimits(): Promise<void> {
  const { REDIS_URL } = env()
  if (!REDIS_URL) return
  const client = redis(REDIS_URL)
  if (client.status === 'ready') return
  await once(client, 'ready', { signal: AbortSignal.timeout(2000) }).catch(() => {})
}

type Query = { text: string; values: (string | number | null)[] }

function redis(url: string): Redis {
  return singleton('limits.redis', () => {
    const client = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 1 })
    client.on('error', ({ message }) => log().warn(`REDIS_URL: ${message}`))
    return client
  })
}
