import { onCommit } from '#db/after-commit'
import type { Database } from '#db/client'
import { auditEvents, type auditOutcomes } from '#db/schema'
import { count } from '#metrics/metrics'

export type AuditEvent = {
  action: string
  outcome: (typeof auditOutcomes)[number]
  actorId?: string | undefined
  targetId?: string | undefined
  ip: string
  requestId: string
  /** Never a secret or typed text. */
  details?: Record<string, string | number | boolean>
}

/** In the transaction that it describes, so that neither is stored without the other. */
export async function record(transaction: Database, event: AuditEvent): Promise<void> {
  await transaction.insert(auditEvents).values(event).prepare('record_audit_event').execute()
  if (event.action === 'sign_in') onCommit(() => countSignIn(event))
}

/** @public For sign-ins whose event the database itself records. */
export function countSignIn({
  outcome,
  details = {},
}: Pick<AuditEvent, 'outcome' | 'details'>): void {
  const method = String(details.by ?? details.with ?? 'password')
  count('plinth_sign_ins_total', { method, result: outcome })
}
