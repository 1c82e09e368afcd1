import 'server-only'
import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible'
import { singleton } from '@/core/config/singleton'
import { createLimiter } from '@/core/rate-limits/limiter'

export type RateLimit = { times: number; seconds: number }

/** `seconds` until the limit is reset. */
export type RateLimitResult = {
  allowed: boolean
  limit: number
  remaining: number
  seconds: number
}

/** Counts one use. Limits with different names count separately. */
export function checkRateLimit(
  name: string,
  rateLimit: RateLimit,
  key: string,
): Promise<RateLimitResult> {
  return consume(limiterFor(name, rateLimit), key)
}

export function limiterFor(name: string, { times, seconds }: RateLimit): RateLimiterAbstract {
  return singleton(`limits.${name}`, () =>
    createLimiter({ keyPrefix: `plinth.${name}`, points: times, duration: seconds }),
  )
}

export async function consume(limiter: RateLimiterAbstract, key: string): Promise<RateLimitResult> {
  try {
    return toResult(limiter, true, await limiter.consume(key))
  } catch (error) {
    if (isLimiterResult(error)) return toResult(limiter, false, error)
    throw error
  }
}

/** By shape: the limiter may have been created by the other bundle, with its copy of the class. */
function isLimiterResult(error: unknown): error is RateLimiterRes {
  return typeof error === 'object' && error !== null && 'msBeforeNext' in error
}

function toResult(
  { points }: RateLimiterAbstract,
  allowed: boolean,
  { remainingPoints, msBeforeNext }: RateLimiterRes,
): RateLimitResult {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000))
  return { allowed, limit: points, remaining: Math.max(0, remainingPoints), seconds }
}
