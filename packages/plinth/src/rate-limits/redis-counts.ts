import { once } from 'node:events'
import { Redis } from 'ioredis'
import { env } from '#config/env'
import { lazy } from '#config/lazy'
import { currentRequest } from '#log/current-request'
import { recordOutage } from '#log/outage'
import { count } from '#metrics/metrics'
import { memoryCounts } from '#rate-limits/memory-counts'
import {
  type Change,
  type Counted,
  type Counts,
  hasPart,
  type Limit,
  storedKey,
  usesOf,
  windowMs,
} from '#rate-limits/stored-count'

/**
 * For each key a change, 0 to read, and the window. Time is that of Redis, and a key without an end or
 * with one that is too late gets one.
 */
const changeScript = `
  local result = {}
  for index, key in ipairs(KEYS) do
    local by, window = tonumber(ARGV[2 * index - 1]), tonumber(ARGV[2 * index])
    local uses
    if by == 0 then uses = redis.call('get', key) else uses = redis.call('incrby', key, by) end
    local left = redis.call('pttl', key)
    if left == -1 or left > window then
      redis.call('pexpire', key, window)
      left = window
    end
    table.insert(result, tonumber(uses or 0))
    table.insert(result, left)
  end
  return result`

/**
 * While Redis is unavailable each instance counts for itself: a generous limit is better than a failed
 * sign-in.
 */
export function redisCounts(url: string): Counts {
  const inMemory = memoryCounts()
  return {
    change: (changes, read = []) =>
      orInMemory(
        url,
        (client) => change(client, changes, read),
        () => inMemory.change(changes, read),
      ),
    async reset(limit) {
      await inMemory.reset(limit)
      await orInMemory<unknown>(
        url,
        (client) => client.del(storedKey(limit)),
        async () => {},
      )
    },
    clear: (parts) => clear(redis(url), parts),
  }
}

async function orInMemory<Result>(
  url: string,
  inRedis: (client: Redis) => Promise<Result>,
  inMemory: () => Promise<Result>,
): Promise<Result> {
  const client = redis(url)
  try {
    if (client.status !== 'ready') throw new Error('Redis is not connected.')
    return await inRedis(client)
  } catch (error) {
    count('plinth_redis_failures_total')
    noteFailure(client, error)
    return inMemory()
  }
}

/** One script, which runs alone: no one sees a part of the changes. */
async function change(client: Redis, changes: Change[], read: Limit[]): Promise<Counted> {
  const steps = [...changes, ...read.map((limit) => ({ limit, by: 0 }))]
  const keys = steps.map(({ limit }) => storedKey(limit))
  const values = steps.flatMap(({ limit, by }) => [by, windowMs(limit)])
  const result = (await client.eval(changeScript, keys.length, ...keys, ...values)) as number[]
  const all = steps.map(({ limit }, index) =>
    usesOf(limit, result[2 * index] ?? 0, result[2 * index + 1] ?? 0),
  )
  return { changed: all.slice(0, changes.length), read: all.slice(changes.length) }
}

async function clear(client: Redis, parts: readonly string[]): Promise<number> {
  let deleted = 0
  for await (const keys of client.scanStream({ match: 'plinth.*', count: 1000 })) {
    const found = (keys as string[]).filter((key) => hasPart(key, parts))
    if (found.length > 0) deleted += await client.del(...found)
  }
  return deleted
}

const timeoutMs = 500

export const redis = lazy((url: string) => {
  const client = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    // A Redis that accepts and never answers is unavailable too. The first command finds out, and the
    // connection is closed, so that no other command waits.
    commandTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    connectTimeout: timeoutMs,
  })
  client.on('error', (error) => noteFailure(client, error))
  return client
})

function noteFailure(client: Redis, error: unknown): void {
  const requestId = currentRequest()?.requestId
  const isAvailable = () => client.status === 'ready'
  recordOutage(error, { service: 'redis', requestId, isAvailable })
}

/** Before the first request, so that it is counted in Redis. An unavailable Redis delays the start by 2 s. */
export async function connectRateLimits(): Promise<void> {
  const { REDIS_URL } = env()
  if (!REDIS_URL) return
  const client = redis(REDIS_URL)
  if (client.status === 'ready') return
  await once(client, 'ready', { signal: AbortSignal.timeout(2000) }).catch(() => {})
}

/** Undefined without REDIS_URL. */
export function isRedisUp(): boolean | undefined {
  const { REDIS_URL } = env()
  return REDIS_URL ? redis(REDIS_URL).status === 'ready' : undefined
}

/** For a command, whose process would otherwise go on. */
export function disconnectRedis(): void {
  const { REDIS_URL } = env()
  if (REDIS_URL) redis(REDIS_URL).disconnect()
}
