import 'server-only'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import { Redis } from 'ioredis'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  type RateLimiterRes,
} from 'rate-limiter-flexible'
import { env } from '@/core/config/env'
import { singleton } from '@/core/config/singleton'
import { connection } from '@/core/db/client'
import { Problem } from '@/core/http/problems'
import { log } from '@/core/log/log'

export type RateLimit = { times: number; seconds: number }

/** A rate limit and whose uses it counts. */
export type Limit = { name: string; rateLimit: RateLimit; key: string }

export type Uses = { uses: number; seconds: number }

/** `seconds` until the limit is reset. */
export type RateLimitResult = {
  allowed: boolean
  limit: number
  remaining: number
  seconds: number
}

/** Counts one use. Limits with different names count separately. */
export async function checkRateLimit(
  name: string,
  rateLimit: RateLimit,
  key: string,
): Promise<RateLimitResult> {
  const limiter = limiterFor(name, rateLimit)
  try {
    return toResult(limiter, true, await limiter.consume(key))
  } catch (error) {
    if (isLimiterResult(error)) return toResult(limiter, false, error)
    throw error
  }
}

/** Counts nothing. */
export async function readUses({ name, rateLimit, key }: Limit): Promise<Uses> {
  const stored = await limiterFor(name, rateLimit).get(key)
  if (!stored || stored.msBeforeNext <= 0) return { uses: 0, seconds: 0 }
  return { uses: stored.consumedPoints, seconds: toSeconds(stored) }
}

export async function resetUses({ name, rateLimit, key }: Limit): Promise<void> {
  await limiterFor(name, rateLimit).delete(key)
}

export function limiterFor(name: string, { times, seconds }: RateLimit): RateLimiterAbstract {
  return singleton(`limits.${name}`, () =>
    createLimiter({ keyPrefix: `plinth.${name}`, points: times, duration: seconds }),
  )
}

/** By shape: the limiter may have been created by the other bundle, with its copy of the class. */
function isLimiterResult(error: unknown): error is RateLimiterRes {
  return typeof error === 'object' && error !== null && 'msBeforeNext' in error
}

function toResult(
  { points }: RateLimiterAbstract,
  allowed: boolean,
  result: RateLimiterRes,
): RateLimitResult {
  const remaining = Math.max(0, result.remainingPoints)
  return { allowed, limit: points, remaining, seconds: toSeconds(result) }
}

function toSeconds({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000))
}

export function tooManyRequests({ limit, remaining, seconds }: RateLimitResult): Problem {
  return tooManyAttempts(seconds, {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(seconds),
  })
}

/** Not because of what this caller did: the server has too much to do. */
export function tooBusy(): Problem {
  return tooManyAttempts(1)
}

function tooManyAttempts(seconds: number, headers: Record<string, string> = {}): Problem {
  return new Problem('rate_limited', {
    detail: `Too many attempts. ${retryIn(seconds)}`,
    headers: { 'retry-after': String(seconds), ...headers },
  })
}

/** "Try again in 40 seconds." Rounded up, so that it is never too early. */
export function retryIn(seconds: number): string {
  if (seconds <= 0) return 'You can try again now.'
  const [count, unit] = seconds < 60 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return `Try again in ${count === 1 ? `a ${unit}` : `${count} ${unit}s`}.`
}

/**
 * What rate limits count by: an IPv4 address, or the /64 prefix of an IPv6 address. One customer of
 * a provider has a whole /64 and could use a new address for each request.
 */
export function ipRange(ip: string): string {
  if (!isIPv6(ip)) return ip
  const [before = '', after] = ip.split('::')
  const head = groups(before)
  const tail = groups(after ?? '')
  const zeros = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0')
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(':')}::/64`
}

function groups(part: string): string[] {
  return part === '' ? [] : part.split(':')
}

/** A fixed length, and no email in the table of counts. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}

const timeoutMs = 500

type LimiterOptions = { keyPrefix: string; points: number; duration: number }

/**
 * Counts in Redis or PostgreSQL, shared by all instances, or in memory on the embedded database.
 * While Redis is unavailable each instance counts for itself: a generous limit is better than a
 * failed sign-in.
 */
function createLimiter(options: LimiterOptions): RateLimiterAbstract {
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
