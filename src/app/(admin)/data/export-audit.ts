import 'server-only'
import { record } from '@/core/audit/record'
import { database } from '@/core/db/client'
import type { Cursor } from '@/core/db/list'
import type { SignedInScope } from '@/core/guard/policy'
import type { AuditFilter } from '../audit-filter'
import { csvLine } from '../csv'
import { type AuditEvent, listEvents } from './audit'

const batchSize = 1000

/**
 * The log as CSV, of any length: the next batch is read when the client has consumed the previous
 * one. No transaction stays open, and events added during the export are newer and not included.
 */
export async function* exportEvents(filter: AuditFilter): AsyncGenerator<string> {
  yield csvLine(columns)
  let cursor: Cursor | undefined
  do {
    const { events, next } = await listEvents(filter, { cursor, limit: batchSize })
    if (events.length > 0) yield events.map(eventLine).join('')
    cursor = next
  } while (cursor)
}

export async function recordExport({ session, ip, requestId }: SignedInScope) {
  await record(database(), {
    action: 'export_audit_log',
    outcome: 'success',
    actorId: session.user.id,
    ip,
    requestId,
  })
}

const columns = [
  'at',
  'action',
  'outcome',
  'actor_id',
  'actor_email',
  'target_id',
  'target_email',
  'ip',
  'request_id',
  'details',
]

function eventLine(event: AuditEvent): string {
  const { at, action, outcome, actorId, actor, targetId, target, ip, requestId } = event
  return csvLine([
    at.toISOString(),
    action,
    outcome,
    actorId,
    actor?.email,
    targetId,
    target?.email,
    ip,
    requestId,
    JSON.stringify(event.details),
  ])
}
