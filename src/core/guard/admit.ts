import 'server-only'
import { record } from '@/core/audit/record'
import type { Scope } from '@/core/auth/scope'
import { database } from '@/core/db/client'
import type { Predicate } from '@/core/guard/policy'
import { type Allowance, allow, type Limit } from '@/core/limits/allow'
import { log } from '@/core/log'

/** What somebody has to declare about whatever can be called from outside. */
export type Admission<Allowed extends Scope = Scope> = {
  /** What it is called in the audit trail. */
  name: string
  who: Predicate<Allowed>
  /** How often one person, or one address that is nobody's yet, may. */
  limit?: Limit
}

export type Refused =
  | { code: 'unauthenticated' | 'forbidden' }
  | { code: 'rate_limited'; allowance: Allowance }

/** Undefined means: come in. */
export async function admit(scope: Scope, admission: Admission): Promise<Refused | undefined> {
  const { name, who, limit } = admission
  if (!who(scope)) return deny(scope, name, 'role')
  if (!limit) return undefined
  const allowance = await allow(name, limit, scope.session?.user.id ?? scope.address)
  return allowance.allowed ? undefined : { code: 'rate_limited', allowance }
}

/** Far more than people cause, and too few to fill a disk with: the log has what is beyond. */
const recorded: Limit = { times: 600, seconds: 600 }

export async function deny(
  { session, address, requestId }: Scope,
  action: string,
  reason: 'role' | 'cross_origin',
): Promise<Refused> {
  const { allowed } = await allow('denials', recorded, address)
  const event = { action, actorId: session?.user.id, address, requestId, details: { reason } }
  if (allowed) await record(database(), { ...event, outcome: 'denied' })
  else log().warn(event, 'denied')
  return { code: session ? 'forbidden' : 'unauthenticated' }
}
