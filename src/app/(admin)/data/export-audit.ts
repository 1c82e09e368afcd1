import 'server-only'
import { and, inArray, or, type SQL, sql } from 'drizzle-orm'
import { record } from 'plinth/audit/record'
import { database, rowsOf } from 'plinth/db/client'
import { auditEvents } from 'plinth/db/schema'
import type { SignedInScope } from 'plinth/guard/policy'
import type { AuditFilter } from '../audit/audit-filter'
import { csvLine } from '../csv'
import { conditionsOf } from './audit'
import { findUserIds } from './find-user-ids'

const batchSize = 5000

/**
 * The log as CSV, of any length: the next batch is read when the client has consumed the previous
 * one. No transaction stays open, and events added during the export are newer and not included.
 */
export async function* exportEvents(filter: AuditFilter): AsyncGenerator<string> {
  yield csvLine(columns)
  const userIds = filter.user ? await findUserIds(filter.user) : undefined
  if (userIds?.length === 0) return
  let cursor: Row | undefined
  do {
    const rows = await readBatch(filter, userIds, cursor)
    if (rows.length > 0) yield rows.map(({ id: _, ...cells }) => lineOf(cells)).join('')
    cursor = rows.length === batchSize ? rows.at(-1) : undefined
  } while (cursor)
}

type Row = Record<(typeof columns)[number], string | null> & { id: string }

/**
 * All as text: conversions to dates and objects and back would take most of the time. The emails are
 * looked up one by one: for a join, the planner would read all users for each batch.
 */
async function readBatch(
  filter: AuditFilter,
  userIds: readonly string[] | undefined,
  cursor: Row | undefined,
): Promise<readonly Row[]> {
  const { at, id, actorId, targetId } = auditEvents
  const where = and(
    ...conditionsOf(filter),
    userIds && or(inArray(actorId, [...userIds]), inArray(targetId, [...userIds])),
    cursor && sql`(${at}, ${id}) < (${cursor.at}::timestamptz, ${cursor.id}::bigint)`,
  )
  const batch = sql`select ${auditEvents}.*, ${uuidOf(targetId)} as target_user_id
    from ${auditEvents} where ${where ?? sql`true`}
    order by ${at} desc, ${id} desc limit ${batchSize}`
  const result = await database().execute(sql`
    select to_char(event.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
      event.action, event.outcome, event.actor_id::text,
      (select email from users where id = event.actor_id) as actor_email, event.target_id,
      (select email from users where id = event.target_user_id) as target_email,
      event.ip, event.request_id, event.details::text as details, event.id::text as id
    from (${batch}) as event order by event.at desc, event.id desc`)
  return rowsOf<Row>(result)
}

/** The target is not always a user. */
function uuidOf(text: typeof auditEvents.targetId): SQL {
  return sql`case when ${text} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then ${text}::uuid end`
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
] as const

function lineOf(cells: Omit<Row, 'id'>): string {
  return csvLine(columns.map((column) => cells[column] ?? undefined))
}
