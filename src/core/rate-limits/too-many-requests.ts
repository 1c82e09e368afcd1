import 'server-only'
import { Problem } from '@/core/http/problems'
import type { RateLimitResult } from '@/core/rate-limits/rate-limit'
import { retryIn } from '@/core/rate-limits/retry-in'

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
