import 'server-only'
import type { Database } from '@/core/db/client'
import { auditEvents, type auditOutcomes } from '@/core/db/schema'

export type AuditEvent = {
  action: string
  outcome: (typeof auditOutcomes)[number]
  actorId?: string | undefined
  targetId?: string | undefined
  address: string
  requestId: string
  /** Never a secret, and nothing that somebody typed. */
  details?: Record<string, string | number | boolean>
}

/** Given the transaction that did it, so that the one is never stored without the other. */
export async function record(transaction: Database, event: AuditEvent): Promise<void> {
  await transaction.insert(auditEvents).values(event)
}
