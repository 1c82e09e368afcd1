import 'server-only'
import { record } from '@/core/audit/record'
import { database } from '@/core/db/client'
import type { Policy } from '@/core/guard/policy'
import type { Scope } from '@/core/http/scope'
import { log } from '@/core/log/log'
import {
  checkRateLimit,
  ipRange,
  type RateLimit,
  type RateLimitResult,
} from '@/core/rate-limits/rate-limit'

/** The part of a declaration that every operation has. */
export type Guard<Allowed extends Scope = Scope> = {
  /** Also the name in the audit log. */
  name: string
  authorize: Policy<Allowed>
  /** Per user, or per IP for anonymous callers. */
  rateLimit?: RateLimit
  /**
   * The caller must have signed in, or confirmed their identity, in the last minutes; `true` is ten.
   * A stolen session alone does not pass.
   */
  recentSignIn?: true | number
}

export type Denial =
  | { code: 'unauthenticated' | 'forbidden' | 'reauthentication_required' }
  | { code: 'rate_limited'; result: RateLimitResult }

/** Undefined if the caller is allowed. */
export async function authorize(scope: Scope, guard: Guard): Promise<Denial | undefined> {
  const { name, authorize, rateLimit } = guard
  const { session } = scope
  if (!authorize(scope)) {
    await deny(scope, name, session ? 'role' : 'unauthenticated')
    return { code: session ? 'forbidden' : 'unauthenticated' }
  }
  if (!rateLimit) return undefined
  const result = await checkRateLimit(name, rateLimit, session?.user.id ?? ipRange(scope.ip))
  return result.allowed ? undefined : { code: 'rate_limited', result }
}

/** Per IP. Further denials go to the log only, so that an attacker cannot fill the disk. */
const auditedDenials: RateLimit = { times: 600, seconds: 600 }

export async function deny(
  scope: Scope,
  action: string,
  reason: 'role' | 'unauthenticated' | 'cross_origin' | 'reauthentication_required',
): Promise<void> {
  const { session, ip, requestId } = scope
  const { allowed } = await checkRateLimit('denials', auditedDenials, ipRange(ip))
  const event = { action, actorId: session?.user.id, ip, requestId, details: { reason } }
  if (allowed) await record(database(), { ...event, outcome: 'denied' })
  else log().warn(event, 'denied')
}
