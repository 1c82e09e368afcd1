import 'server-only'
import type { Database } from '@/core/db/client'
import { auditEvents, type auditOutcomes } from '@/core/db/schema'

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
}
