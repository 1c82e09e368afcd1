import 'server-only'
import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible'
import { singleton } from '@/core/config/singleton'
import { createLimiter } from '@/core/rate-limits/limiter'

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
