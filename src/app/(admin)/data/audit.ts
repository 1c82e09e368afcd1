import 'server-only'
import { and, desc, eq, gte, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { normalizeEmail } from '@/core/auth/accounts/email'
import { database } from '@/core/db/client'
import { auditEvents, users } from '@/core/db/schema'
import { type AuditFilter, type EventCursor, isUuid } from '../audit-filter'

type EventUser = { id: string; email: string; name: string }

export type AuditEvent = {
  id: number
  at: Date
  action: string
  outcome: string
  actorId: string | undefined
  targetId: string | undefined
  ip: string | undefined
  requestId: string | undefined
  details: Record<string, unknown>
  /** Undefined if the id is not that of an existing user. */
  actor: EventUser | undefined
  target: EventUser | undefined
}

type Page = { events: AuditEvent[]; next: EventCursor | undefined }

/** Newest first. A user filter matches events by and about that user. */
export async function listEvents(
  filter: AuditFilter,
  { after, limit }: { after?: EventCursor | undefined; limit: number },
): Promise<Page> {
  const userId = filter.user && (await findUserId(filter.user))
  if (filter.user && !userId) return { events: [], next: undefined }
  const conditions = [...conditionsOf(filter), after && before(after)]
  const rows = userId
    ? mergeNewest(
        await read([...conditions, eq(auditEvents.actorId, userId)], limit + 1),
        await read([...conditions, eq(auditEvents.targetId, userId)], limit + 1),
      )
    : await read(conditions, limit + 1)
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const next = rows.length > limit && last ? { at: last.at, id: last.id } : undefined
  return { events: await withUsers(shown), next }
}

/** Every action in the log. Skips along the index from one name to the next (a loose index scan). */
export async function actionNames(): Promise<string[]> {
  const names = sql<string>`(
    with recursive found as (
      (select action from audit_events order by action limit 1)
      union all
      select (select next.action from audit_events next
              where next.action > found.action order by next.action limit 1)
      from found where found.action is not null
    )
    select coalesce(json_agg(action), '[]') from found where action is not null
  )`
  const [row] = await database().select({ names }).from(sql`(values (1)) as one`)
  const found: unknown = row?.names
  return (typeof found === 'string' ? JSON.parse(found) : found) as string[]
}

/** Accepts the id of a deleted user; an email must belong to a current user. */
async function findUserId(user: string): Promise<string | undefined> {
  if (isUuid(user)) return user
  const [row] = await database()
    .select({ id: users.id })
    .from(users)
    .where(eq(users.email, normalizeEmail(user)))
  return row?.id
}

function conditionsOf({ action, outcome, from, to }: AuditFilter): (SQL | undefined)[] {
  return [
    action ? eq(auditEvents.action, action) : undefined,
    outcome && eq(auditEvents.outcome, outcome),
    from && gte(auditEvents.at, from),
    to && lt(auditEvents.at, new Date(to.getTime() + 24 * 60 * 60 * 1000)),
  ]
}

function before({ at, id }: EventCursor): SQL {
  return sql`(${auditEvents.at}, ${auditEvents.id}) < (${at.toISOString()}::timestamptz, ${id})`
}

type Row = typeof auditEvents.$inferSelect

function read(conditions: (SQL | undefined)[], limit: number): Promise<Row[]> {
  return database()
    .select()
    .from(auditEvents)
    .where(and(...conditions))
    .orderBy(desc(auditEvents.at), desc(auditEvents.id))
    .limit(limit)
}

/** An event with the same actor and target is in both lists. */
function mergeNewest(...lists: Row[][]): Row[] {
  const all = new Map(lists.flat().map((row) => [row.id, row]))
  return [...all.values()].sort((a, b) => b.at.getTime() - a.at.getTime() || b.id - a.id)
}

async function withUsers(rows: Row[]): Promise<AuditEvent[]> {
  const ids = rows.flatMap(({ actorId, targetId }) => [actorId, targetId])
  const userIds = [...new Set(ids.filter((id) => id !== null).filter(isUuid))]
  const found =
    userIds.length > 0
      ? await database()
          .select({ id: users.id, email: users.email, name: users.name })
          .from(users)
          .where(inArray(users.id, userIds))
      : []
  const byId = new Map(found.map((user) => [user.id, user]))
  return rows.map(({ actorId, targetId, ip, requestId, ...event }) => ({
    ...event,
    actorId: actorId ?? undefined,
    targetId: targetId ?? undefined,
    ip: ip ?? undefined,
    requestId: requestId ?? undefined,
    actor: byId.get(actorId ?? ''),
    target: byId.get(targetId ?? ''),
  }))
}
