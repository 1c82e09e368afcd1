import { record } from '#audit/record'
import { database } from '#db/client'
import type { Policy } from '#guard/policy'
import type { Scope } from '#http/scope'
import { log } from '#log/log'
import { inSpan } from '#log/trace'
import {
  checkRateLimit,
  declareLimits,
  ipRange,
  type RateLimit,
  type RateLimitResult,
} from '#rate-limits/rate-limit'

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
export function authorize(scope: Scope, guard: Guard): Promise<Denial | undefined> {
  return inSpan({ name: `guard ${guard.name}` }, async (annotate) => {
    const denial = await findDenial(scope, guard)
    annotate({ 'plinth.decision': denial?.code ?? 'allowed' })
    return denial
  })
}

async function findDenial(scope: Scope, guard: Guard): Promise<Denial | undefined> {
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

declareLimits('denials')

export async function deny(
  scope: Scope,
  action: string,
  reason:
    | 'role'
    | 'unauthenticated'
    | 'cross_origin'
    | 'reauthentication_required'
    | 'proof_required'
    | 'rate_limited',
): Promise<void> {
  const { session, ip, requestId } = scope
  const { allowed } = await checkRateLimit('denials', auditedDenials, ipRange(ip))
  const event = { action, actorId: session?.user.id, ip, requestId, details: { reason } }
  if (allowed) await record(database(), { ...event, outcome: 'denied' })
  else log().warn(event, 'denied')
}
