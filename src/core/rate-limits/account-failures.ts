import 'server-only'
import { hashKey } from '@/core/rate-limits/hash-key'
import {
  checkRateLimit,
  type Limit,
  type RateLimitResult,
  type Uses,
} from '@/core/rate-limits/rate-limit'

/** From any number of IPs. After that, devices that never signed in to the account are slowed down. */
const failures = { times: 100, seconds: 60 * 60 }

/** For all of those devices together. A short window, so that it never becomes a lock. */
const slowedDown = { times: 5, seconds: 60 }

export function accountFailures(account: string): Limit {
  return { name: 'account-failures', rateLimit: failures, key: hashKey(account) }
}

/** An account that does not exist is slowed down alike: the response must not reveal which do. */
export async function slowDownAccount(
  account: string,
  { uses }: Uses,
): Promise<RateLimitResult | undefined> {
  if (uses < failures.times) return undefined
  const result = await checkRateLimit('account-slowed-down', slowedDown, hashKey(account))
  return result.allowed ? undefined : result
}
