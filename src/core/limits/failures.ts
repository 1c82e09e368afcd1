import 'server-only'
import { createHash } from 'node:crypto'
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible'
import { createLimiter } from '@/core/limits/limiter'
import { singleton } from '@/core/singleton'

const limit = { points: 10, duration: 10 * 60 }

function limiters() {
  return singleton('limits.failures', () => ({
    address: createLimiter({ keyPrefix: 'plinth.address', ...limit }),
    account: createLimiter({ keyPrefix: 'plinth.account', ...limit }),
  }))
}

/** Of one length, whatever was typed, and no address of anybody in a table of counts. */
function accountKey(address: string, account: string): string {
  return createHash('sha256').update(`${address} ${account}`).digest('base64url')
}

/** Tries that are left before it is refused, and the seconds until they are all back. */
export type Allowance = { allowed: boolean; limit: number; remaining: number; seconds: number }

/**
 * Ten failures in ten minutes for an address, and for an account from an address. A try is counted
 * before it is made and given back when it succeeds, so that many at once cannot slip through.
 * Nobody can lock another out: the account alone is never counted.
 */
export async function countTry(address: string, account: string): Promise<Allowance> {
  const [byAddress, byAccount] = await Promise.all([
    consume(limiters().address, address),
    consume(limiters().account, accountKey(address, account)),
  ])
  const allowed = byAddress.allowed && byAccount.allowed
  const tightest = byAddress.remaining < byAccount.remaining ? byAddress : byAccount
  const refused = byAddress.allowed ? byAccount : byAddress
  return allowed ? tightest : refused
}

/** For a try that never came to a result. */
export async function giveBackTry(address: string, account: string): Promise<void> {
  await Promise.all([
    limiters().address.reward(address),
    limiters().account.reward(accountKey(address, account)),
  ])
}

export async function forgetFailures(address: string, account: string): Promise<void> {
  await Promise.all([
    limiters().address.reward(address),
    limiters().account.delete(accountKey(address, account)),
  ])
}

async function consume(limiter: RateLimiterAbstract, key: string): Promise<Allowance> {
  try {
    return allowance(true, await limiter.consume(key))
  } catch (refused) {
    if (refused instanceof RateLimiterRes) return allowance(false, refused)
    throw refused
  }
}

function allowance(allowed: boolean, { remainingPoints, msBeforeNext }: RateLimiterRes): Allowance {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000))
  return { allowed, limit: limit.points, remaining: Math.max(0, remainingPoints), seconds }
}
