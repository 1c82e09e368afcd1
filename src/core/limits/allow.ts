import 'server-only'
import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible'
import { createLimiter } from '@/core/limits/limiter'
import { singleton } from '@/core/singleton'

/** So many times in so many seconds. */
export type Limit = { times: number; seconds: number }

/** What is left before it is refused, and the seconds until all of it is back. */
export type Allowance = { allowed: boolean; limit: number; remaining: number; seconds: number }

/** Counts one use of something by somebody. The name tells limits apart that have one key. */
export function allow(name: string, limit: Limit, key: string): Promise<Allowance> {
  return consume(limiterFor(name, limit), key)
}

export function limiterFor(name: string, { times, seconds }: Limit): RateLimiterAbstract {
  return singleton(`limits.${name}`, () =>
    createLimiter({ keyPrefix: `plinth.${name}`, points: times, duration: seconds }),
  )
}

export async function consume(limiter: RateLimiterAbstract, key: string): Promise<Allowance> {
  try {
    return allowance(limiter, true, await limiter.consume(key))
  } catch (refused) {
    if (isLimiterResult(refused)) return allowance(limiter, false, refused)
    throw refused
  }
}

/** By shape: the limiter may have been created by the other bundle, with its copy of the class. */
function isLimiterResult(refused: unknown): refused is RateLimiterRes {
  return typeof refused === 'object' && refused !== null && 'msBeforeNext' in refused
}

function allowance(
  { points }: RateLimiterAbstract,
  allowed: boolean,
  { remainingPoints, msBeforeNext }: RateLimiterRes,
): Allowance {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000))
  return { allowed, limit: points, remaining: Math.max(0, remainingPoints), seconds }
}
