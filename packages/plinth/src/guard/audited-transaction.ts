import { record } from '#audit/record'
import { recheckSession } from '#auth/sessions/read'
import { type Database, database } from '#db/client'
import { sqlState } from '#db/errors'
import { deny } from '#guard/authorize'
import type { Policy, SignedInScope } from '#guard/policy'
import type { Scope } from '#http/scope'
import { inSpan } from '#log/trace'
import { type ActionError, isActionError, refuse } from '#universal/action-result'

type Options<Allowed extends SignedInScope> = {
  /** Also the name in the audit log. */
  name: string
  authorize: Policy<Allowed>
  /** The id of the changed object, for the audit log. */
  target: string | undefined
  /** The ids of other users that it changes; their rows are locked. */
  lockUsers: readonly string[]
  /** For the audit log. Never a secret or typed text. */
  details: Readonly<Record<string, string | number | boolean>> | undefined
}

/**
 * Runs work for a signed-in user in a transaction that checks the session again and writes the audit
 * event. An error rolls all of it back.
 */
export function auditedTransaction<Allowed extends SignedInScope, Result>(
  scope: SignedInScope,
  options: Options<Allowed>,
  work: (tx: Database, scope: Allowed) => Promise<Result | ActionError>,
): Promise<Result | ActionError> {
  return inSpan({ name: `mutation ${options.name}` }, async (annotate) => {
    const result = await runAudited(scope, options, work)
    annotate({ 'plinth.outcome': isActionError(result) ? result.code : 'success' })
    return result
  })
}

async function runAudited<Allowed extends SignedInScope, Result>(
  scope: SignedInScope,
  { name, authorize, target, lockUsers, details }: Options<Allowed>,
  work: (tx: Database, scope: Allowed) => Promise<Result | ActionError>,
): Promise<Result | ActionError> {
  const { ip, requestId } = scope
  const event = { action: name, actorId: scope.session.user.id, targetId: target, ip, requestId }
  try {
    return await database().transaction(async (tx) => {
      const session = await recheckSession(tx, scope.session, lockUsers)
      const current: Scope = { ...scope, session }
      if (!authorize(current)) throw new RolledBack(session ? 'denied' : 'signed_out')
      const result = await work(tx, current)
      if (isActionError(result)) throw new RolledBack(result)
      await record(tx, { ...event, outcome: 'success', ...(details ? { details } : {}) })
      return result
    })
  } catch (error) {
    if (sqlState(error) === 'PL001') return failed(refuse('conflict', lastAdmin))
    if (!isRolledBack(error)) throw error
    if (typeof error.reason === 'object') return failed(error.reason)
    const signedOut = error.reason === 'signed_out'
    await deny(scope, name, signedOut ? 'unauthenticated' : 'role')
    return refuse(signedOut ? 'unauthenticated' : 'forbidden')
  }

  async function failed(error: ActionError): Promise<ActionError> {
    const reason = { reason: error.code }
    await record(database(), { ...event, outcome: 'failure', details: reason })
    return error
  }
}

const lastAdmin = 'The last admin cannot be demoted or deleted. Make another user an admin first.'

/** Thrown to roll the transaction back. */
class RolledBack extends Error {
  override name = 'RolledBack'
  readonly reason: ActionError | 'denied' | 'signed_out'

  constructor(reason: ActionError | 'denied' | 'signed_out') {
    super('rolled back')
    this.reason = reason
  }
}

function isRolledBack(error: unknown): error is RolledBack {
  return error instanceof RolledBack
}
