import 'server-only'
import {
  checkRateLimit,
  hashKey,
  ipRange,
  type RateLimitResult,
} from '@/core/rate-limits/rate-limit'

const hourSeconds = 60 * 60

/**
 * Per hour: 20 messages from one IP, 5 from one IP to one mailbox, 10 to one mailbox. The newest
 * link keeps working, so using up a mailbox's limit does not lock its owner out.
 */
export async function limitMail(ip: string, recipient: string): Promise<RateLimitResult> {
  const range = ipRange(ip)
  const limits = [
    { name: 'mail.ip', times: 20, key: range },
    { name: 'mail.pair', times: 5, key: hashKey(`${range} ${recipient}`) },
    { name: 'mail.recipient', times: 10, key: hashKey(recipient) },
  ]
  let last: RateLimitResult | undefined
  for (const { name, times, key } of limits) {
    last = await checkRateLimit(name, { times, seconds: hourSeconds }, key)
    // A refused request must not use up the remaining limits.
    if (!last.allowed) return last
  }
  return last as RateLimitResult
}
