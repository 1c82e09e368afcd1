import 'server-only'
import { record } from '@/core/audit/record'
import { confirmSession } from '@/core/auth/confirm-session'
import type { Scope } from '@/core/auth/scope'
import { type Database, database } from '@/core/db/client'
import { sqlState } from '@/core/db/errors'
import { isRefusal, type Refusal, refuse } from '@/core/guard/action-result'
import { deny } from '@/core/guard/admit'
import type { Predicate, SignedInScope } from '@/core/guard/policy'

type Change<Allowed extends SignedInScope> = {
  /** What it is called in the audit trail. */
  name: string
  who: Predicate<Allowed>
  /** Whom or what it is done to. */
  target: string
  /** Other people that it changes: locked, so that it sees them as they are. */
  concerns?: readonly string[]
  /** For the trail. Never a secret, and nothing that somebody typed. */
  details?: Record<string, string | number | boolean>
}

/**
 * The one way in which somebody who is signed in changes something: in a transaction that asks
 * again who they are, and that also holds the event of the trail. A refusal undoes all of it.
 */
export async function change<Allowed extends SignedInScope, Result>(
  scope: SignedInScope,
  { name, who, target, concerns = [], details }: Change<Allowed>,
  work: (transaction: Database, scope: Allowed) => Promise<Result | Refusal>,
): Promise<Result | Refusal> {
  const { address, requestId } = scope
  const event = {
    action: name,
    actorId: scope.session.user.id,
    targetId: target,
    address,
    requestId,
  }
  try {
    return await database().transaction(async (transaction) => {
      const session = await confirmSession(transaction, scope.session, concerns)
      const now: Scope = { ...scope, session }
      if (!who(now)) throw new Undone(session ? 'denied' : 'ended')
      const result = await work(transaction, now)
      if (isRefusal(result)) throw new Undone(result)
      await record(transaction, { ...event, outcome: 'success', ...(details ? { details } : {}) })
      return result
    })
  } catch (error) {
    if (sqlState(error) === 'PL001') return failed(refuse('conflict', lastAdmin))
    if (!isUndone(error)) throw error
    if (typeof error.reason === 'object') return failed(error.reason)
    await deny(scope, name, 'role')
    return refuse(error.reason === 'ended' ? 'unauthenticated' : 'forbidden')
  }

  async function failed(refusal: Refusal): Promise<Refusal> {
    const reason = { reason: refusal.code }
    await record(database(), { ...event, outcome: 'failure', details: reason })
    return refusal
  }
}

const lastAdmin =
  'The last admin can be neither demoted nor deleted. Make somebody else admin first.'

/** Leaves the transaction, so that nothing of it stays. */
class Undone extends Error {
  override name = 'Undone'
  readonly reason: Refusal | 'denied' | 'ended'

  constructor(reason: Refusal | 'denied' | 'ended') {
    super('undone')
    this.reason = reason
  }
}

function isUndone(error: unknown): error is Undone {
  return error instanceof Error && error.name === 'Undone'
}
