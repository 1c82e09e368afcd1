import 'server-only'
import { record } from '@/core/audit/record'
import { database } from '@/core/db/client'
import type { Policy } from '@/core/guard/policy'
import type { Scope } from '@/core/http/scope'
import { log } from '@/core/log/log'
import { checkRateLimit, type RateLimit, type RateLimitResult } from '@/core/rate-limits/rate-limit'

/** The part of a declaration that every operation has. */
export type Guard<Allowed extends Scope = Scope> = {
  /** Also the name in the audit log. */
  name: string
  authorize: Policy<Allowed>
  /** Per user, or per IP for anonymous callers. */
  rateLimit?: RateLimit
}

export type Denial =
  | { code: 'unauthenticated' | 'forbidden' }
  | { code: 'rate_limited'; result: RateLimitResult }

/** Undefined if the caller is allowed. */
export async function authorize(scope: Scope, guard: Guard): Promise<Denial | undefined> {
  const { name, authorize, rateLimit } = guard
  if (!authorize(scope)) return deny(scope, name, 'role')
  if (!rateLimit) return undefined
  const result = await checkRateLimit(name, rateLimit, scope.session?.user.id ?? scope.ip)
  return result.allowed ? undefined : { code: 'rate_limited', result }
}

/** Per IP. Further denials go to the log only, so that an attacker cannot fill the disk. */
const auditedDenials: RateLimit = { times: 600, seconds: 600 }

export async function deny(
  { session, ip, requestId }: Scope,
  action: string,
  reason: 'role' | 'cross_origin',
): Promise<Denial> {
  const { allowed } = await checkRateLimit('denials', auditedDenials, ip)
  const event = { action, actorId: session?.user.id, ip, requestId, details: { reason } }
  if (allowed) await record(database(), { ...event, outcome: 'denied' })
  else log().warn(event, 'denied')
  return { code: session ? 'forbidden' : 'unauthenticated' }
}
