import 'server-only'
import { and, eq, gte, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { database } from 'plinth/db/client'
import { type Cursor, type Order, readPage } from 'plinth/db/list'
import { auditEvents, users } from 'plinth/db/schema'
import { type AuditFilter, isUuid } from '../audit/audit-filter'
import { dayAfter, startOfDay } from '../time-zone'
import { findUserIds } from './find-user-ids'

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

type Page = { events: AuditEvent[]; next: Cursor | undefined; previous: Cursor | undefined }

const newestFirst: Order = { key: auditEvents.at, id: auditEvents.id, direction: 'desc' }

/** Newest first. A user filter matches events by and about the users it finds. */
export async function listEvents(
  filter: AuditFilter,
  { cursor, limit }: { cursor?: Cursor | undefined; limit: number },
): Promise<Page> {
  const userIds = filter.user ? await findUserIds(filter.user) : []
  if (filter.user && userIds.length === 0) {
    return { events: [], next: undefined, previous: undefined }
  }
  const { rows, next, previous } = await readPage(
    { order: newestFirst, cursor, limit, keyOf: ({ at }: Row) => at },
    async ({ where, orderBy, limit, cursor }) => {
      const read = (condition?: SQL) =>
        database()
          .select()
          .from(auditEvents)
          .where(and(...conditionsOf(filter), condition, where))
          .orderBy(...orderBy)
          .limit(limit)
      if (userIds.length === 0) return read()
      // One index scan for each: a query for all of them would read and sort all of their events.
      const lists: Row[][] = []
      for (const userId of userIds) {
        lists.push(await read(eq(auditEvents.actorId, userId)))
        lists.push(await read(eq(auditEvents.targetId, userId)))
      }
      const newest = mergeNewest(...lists)
      return cursor?.direction === 'previous' ? newest.reverse() : newest
    },
  )
  return { events: await withUsers(rows), next, previous }
}

/**
 * The actions in the log, of which an app declares far fewer than the limit. Skips along the index
 * from one name to the next (a loose index scan).
 */
export async function actionNames(): Promise<string[]> {
  const names = sql<string>`(
    with recursive found as (
      (select action from audit_events order by action limit 1)
      union all
      select (select next.action from audit_events next
              where next.action > found.action order by next.action limit 1)
      from found where found.action is not null
    )
    select coalesce(json_agg(action), '[]')
    from (select action from found where action is not null limit ${maxActionNames}) names
  )`
  const [row] = await database().select({ names }).from(sql`(values (1)) as one`)
  const found: unknown = row?.names
  return (typeof found === 'string' ? JSON.parse(found) : found) as string[]
}

const maxActionNames = 500

export function conditionsOf(filter: AuditFilter): (SQL | undefined)[] {
  const { action, outcome, from, to, timeZone = 'UTC' } = filter
  return [
    action ? eq(auditEvents.action, action) : undefined,
    outcome && eq(auditEvents.outcome, outcome),
    from ? gte(auditEvents.at, startOfDay(from, timeZone)) : undefined,
    to ? lt(auditEvents.at, startOfDay(dayAfter(to), timeZone)) : undefined,
  ]
}

type Row = typeof auditEvents.$inferSelect

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
