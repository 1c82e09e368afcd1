import 'server-only'
import { createHash } from 'node:crypto'
import { ipRange } from '@/core/rate-limits/ip-range'
import { consume, limiterFor, type RateLimitResult } from '@/core/rate-limits/rate-limit'

const rateLimit = { times: 10, seconds: 10 * 60 }

const byIp = () => limiterFor('ip', rateLimit)
const byAccount = () => limiterFor('account', rateLimit)

/** Hashed: a fixed length, and no email in the table of counts. */
function accountKey(ip: string, account: string): string {
  return createHash('sha256').update(`${ip} ${account}`).digest('base64url')
}

type Attempt<Result> =
  | { refused: RateLimitResult }
  | { refused?: never; result: Result | undefined }

/**
 * Ten failures in ten minutes per IP, and per account from one IP, across all forms that check a
 * password. An attempt is counted before it runs and refunded when it succeeds, so that concurrent
 * attempts cannot exceed the limit. The account alone is never counted, so no one can lock another
 * user out. `attempt` returns undefined if it failed; if it throws, it does not count.
 */
export async function attemptPassword<Result>(
  callerIp: string,
  account: string,
  attempt: () => Promise<Result | undefined>,
): Promise<Attempt<Result>> {
  const ip = ipRange(callerIp)
  const limit = await countAttempt(ip, account)
  if (!limit.allowed) return { refused: limit }
  try {
    const result = await attempt()
    if (result !== undefined) await clearFailures(ip, account)
    return { result }
  } catch (error) {
    await refundAttempt(ip, account)
    throw error
  }
}

async function countAttempt(ip: string, account: string): Promise<RateLimitResult> {
  const [ofIp, ofAccount] = await Promise.all([
    consume(byIp(), ip),
    consume(byAccount(), accountKey(ip, account)),
  ])
  if (!ofIp.allowed) return ofIp
  if (!ofAccount.allowed) return ofAccount
  return ofIp.remaining < ofAccount.remaining ? ofIp : ofAccount
}

async function refundAttempt(ip: string, account: string): Promise<void> {
  await Promise.all([byIp().reward(ip), byAccount().reward(accountKey(ip, account))])
}

async function clearFailures(ip: string, account: string): Promise<void> {
  await Promise.all([byIp().reward(ip), byAccount().delete(accountKey(ip, account))])
}
