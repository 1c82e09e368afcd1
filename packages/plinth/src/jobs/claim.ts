import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { database } from '#db/client'
import { jobs } from '#db/schema'
import type { JobsByName } from '#jobs/job'
import { backoffSeconds, type Free } from '#jobs/queue-worker'
import { enqueueScheduledJobs } from '#jobs/schedules'

export type Claimed = Pick<typeof jobs.$inferSelect, 'id' | 'name' | 'key' | 'data' | 'attempts'>

/**
 * Until then, a name that this process does not know is left to others: a deployment that adds a
 * module has processes with and without it. Later, the module was removed.
 */
const unknownAfter = '1 hour'

/** Names that no module of this process has. */
const unknownKind = ''

export function limitsOf(known: JobsByName): Free {
  const limits = [...known.values()].map(({ name, concurrency }) => [name, concurrency] as const)
  return new Map([...limits, [unknownKind, 1]])
}

export function kindOf(name: string, known: JobsByName): string {
  return known.has(name) ? name : unknownKind
}

/** A claim is a due date in the future: no transaction stays open while the job runs. */
export async function claimDueJobs(known: JobsByName, free: Free): Promise<Claimed[]> {
  await enqueueScheduledJobs(known)
  return database()
    .update(jobs)
    .set({ attempts: sql`attempts + 1`, startedAt: sql`now()`, dueAt: leaseEnd })
    .where(sql`${jobs.id} in (${dueJobs(known, free)})`)
    .returning({
      id: jobs.id,
      name: jobs.name,
      key: jobs.key,
      data: jobs.data,
      attempts: jobs.attempts,
    })
}

/** One query for each kind, so that many due jobs of one kind do not hide those of another. */
function dueJobs(known: JobsByName, free: Free): SQL {
  const isKnown = inArray(jobs.name, [...known.keys()])
  const queries = [...free].map(([kind, max]) => {
    const ofKind =
      kind === unknownKind
        ? sql`not ${isKnown} and created_at < now() - ${unknownAfter}::interval`
        : sql`name = ${kind}`
    return sql`select id from (
      select id from jobs where failed_at is null and due_at <= now() and ${ofKind}
      order by due_at limit ${max} for update skip locked
    ) as of_kind`
  })
  // Evaluated once: the rows that it locks are those that are claimed.
  return sql`with due as materialized (${sql.join(queries, sql` union all `)}) select id from due`
}

/** A job whose process has died is run by another after this time. */
const leaseSeconds = 60

const leaseEnd = sql`now() + make_interval(secs => ${leaseSeconds})`

/** Returns whether the job is still this process's. */
export async function renewLease(claimed: Claimed): Promise<boolean> {
  return update(claimed, { dueAt: leaseEnd })
}

export async function postpone(claimed: Claimed, reason: string): Promise<void> {
  const dueAt = sql`now() + make_interval(secs => ${backoffSeconds(claimed.attempts)})`
  await update(claimed, { dueAt, startedAt: null, reason: shorten(reason) })
}

/** The attempt does not count. */
export async function release(claimed: Claimed): Promise<void> {
  await update(claimed, { dueAt: sql`now()`, startedAt: null, attempts: sql`attempts - 1` })
}

async function update(claimed: Claimed, set: PgUpdateSetSource<typeof jobs>): Promise<boolean> {
  const updated = await database()
    .update(jobs)
    .set(set)
    .where(isStillOurs(claimed))
    .returning({ id: jobs.id })
  return updated.length > 0
}

/** Another attempt has another number. */
export function isStillOurs({ id, attempts }: Claimed) {
  return and(eq(jobs.id, id), eq(jobs.attempts, attempts))
}

export function shorten(reason: string): string {
  return reason.slice(0, 1000)
}
