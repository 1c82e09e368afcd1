import 'server-only'
import { Problem } from '@/core/http/problem'
import type { RateLimitResult } from '@/core/rate-limits/rate-limit'

export function tooManyRequests({ limit, remaining, seconds }: RateLimitResult): Problem {
  return new Problem('rate_limited', {
    headers: {
      'retry-after': String(seconds),
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': String(remaining),
      'ratelimit-reset': String(seconds),
    },
  })
}
