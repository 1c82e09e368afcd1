import 'server-only'
import { and, desc, eq, gte, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { normaliseEmail } from '@/core/auth/email'
import { database } from '@/core/db/client'
import { auditEvents, users } from '@/core/db/schema'
import type { SignedInScope } from '@/core/guard/policy'
import { type AuditFilter, type EventCursor, isId } from '../audit-filter'

type Somebody = { id: string; email: string; name: string }

export type AuditEvent = {
  id: number
  at: Date
  action: string
  outcome: string
  actorId: string | undefined
  targetId: string | undefined
  address: string | undefined
  requestId: string | undefined
  details: Record<string, unknown>
  /** Undefined for whoever is not a person, or no longer one. */
  actor: Somebody | undefined
  target: Somebody | undefined
}

type Page = { events: AuditEvent[]; next: EventCursor | undefined }

/** Newest first. Whoever somebody is means what they did and what was done to them. */
export async function listEvents(
  _scope: SignedInScope,
  filter: AuditFilter,
  { after, limit }: { after?: EventCursor | undefined; limit: number },
): Promise<Page> {
  const person = filter.person && (await idOf(filter.person))
  if (filter.person && !person) return { events: [], next: undefined }
  const conditions = [...conditionsOf(filter), after && before(after)]
  const rows = person
    ? newestOf(
        await read([...conditions, eq(auditEvents.actorId, person)], limit + 1),
        await read([...conditions, eq(auditEvents.targetId, person)], limit + 1),
      )
    : await read(conditions, limit + 1)
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const next = rows.length > limit && last ? { at: last.at, id: last.id } : undefined
  return { events: await named(shown), next }
}

/** The names of everything that was ever done: leaping along the index from one to the next. */
export async function actionNames(_scope: SignedInScope): Promise<string[]> {
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

/** An id stays one when its person is gone; an address leads to whoever has it now. */
async function idOf(person: string): Promise<string | undefined> {
  if (isId(person)) return person
  const [row] = await database()
    .select({ id: users.id })
    .from(users)
    .where(eq(users.email, normaliseEmail(person)))
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

/** What somebody did to themselves is in both. */
function newestOf(...lists: Row[][]): Row[] {
  const all = new Map(lists.flat().map((row) => [row.id, row]))
  return [...all.values()].sort((a, b) => b.at.getTime() - a.at.getTime() || b.id - a.id)
}

async function named(rows: Row[]): Promise<AuditEvent[]> {
  const ids = rows.flatMap(({ actorId, targetId }) => [actorId, targetId])
  const wanted = [...new Set(ids.filter((id) => id !== null).filter(isId))]
  const found =
    wanted.length > 0
      ? await database()
          .select({ id: users.id, email: users.email, name: users.name })
          .from(users)
          .where(inArray(users.id, wanted))
      : []
  const people = new Map(found.map((person) => [person.id, person]))
  return rows.map(({ actorId, targetId, address, requestId, ...event }) => ({
    ...event,
    actorId: actorId ?? undefined,
    targetId: targetId ?? undefined,
    address: address ?? undefined,
    requestId: requestId ?? undefined,
    actor: people.get(actorId ?? ''),
    target: people.get(targetId ?? ''),
  }))
}
