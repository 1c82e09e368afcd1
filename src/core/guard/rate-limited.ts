import 'server-only'
import type { RateLimitResult } from '@/core/rate-limits/rate-limit'
import { type ActionError, refuse } from '@/core/ui/action-result'

/** The same text whether or not the email has an account. */
export function mailRateLimited(result: RateLimitResult): ActionError {
  return rateLimited('Too many emails requested.', result)
}

export function passwordRateLimited(result: RateLimitResult): ActionError {
  return rateLimited('Too many attempts.', result)
}

function rateLimited(reason: string, { seconds }: RateLimitResult): ActionError {
  const minutes = Math.ceil(seconds / 60)
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`
  return refuse('rate_limited', `${reason} Try again in ${wait}.`)
}
