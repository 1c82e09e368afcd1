import 'server-only'
import { record } from '@/core/audit/record'
import { database } from '@/core/db/client'
import type { SignedInScope } from '@/core/guard/policy'
import type { AuditFilter, EventCursor } from '../audit-filter'
import { csvLine } from '../csv'
import { type AuditEvent, listEvents } from './audit'

const atOnce = 1000

/**
 * The trail as CSV, however long: read a piece at a time, when the reader has taken the one before
 * it. No transaction stays open meanwhile, and what is added meanwhile is newer and not part of it.
 */
export async function* exportEvents(
  scope: SignedInScope,
  filter: AuditFilter,
): AsyncGenerator<string> {
  yield csvLine(columns)
  let after: EventCursor | undefined
  do {
    const { events, next } = await listEvents(scope, filter, { after, limit: atOnce })
    if (events.length > 0) yield events.map(lineOf).join('')
    after = next
  } while (after)
}

/** That somebody took the trail away with them is part of it. */
export async function recordExport({ session, address, requestId }: SignedInScope) {
  await record(database(), {
    action: 'export_audit',
    outcome: 'success',
    actorId: session.user.id,
    address,
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
  'address',
  'request_id',
  'details',
]

function lineOf(event: AuditEvent): string {
  const { at, action, outcome, actorId, actor, targetId, target, address, requestId } = event
  return csvLine([
    at.toISOString(),
    action,
    outcome,
    actorId,
    actor?.email,
    targetId,
    target?.email,
    address,
    requestId,
    JSON.stringify(event.details),
  ])
}
