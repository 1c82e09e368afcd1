import 'server-only'
import { hashKey } from '@/core/rate-limits/hash-key'
import {
  checkRateLimit,
  countUse,
  type RateLimitResult,
  readUses,
} from '@/core/rate-limits/rate-limit'

/** From any number of IPs. After that, devices that never signed in to the account are slowed down. */
const failures = { times: 100, seconds: 60 * 60 }

/** For all of those devices together. A short window, so that it never becomes a lock. */
const slowedDown = { times: 5, seconds: 60 }

/** An account that does not exist is slowed down alike: the response must not reveal which do. */
export async function slowDownAccount(account: string): Promise<RateLimitResult | undefined> {
  const key = hashKey(account)
  const { uses } = await readUses('account-failures', failures, key)
  if (uses < failures.times) return undefined
  const result = await checkRateLimit('account-slowed-down', slowedDown, key)
  return result.allowed ? undefined : result
}

export async function countAccountFailure(account: string): Promise<void> {
  await countUse('account-failures', failures, hashKey(account))
}
