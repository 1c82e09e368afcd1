import 'server-only'
import { asc, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { database } from 'plinth/db/client'
import { type Cursor, defineCursor, readPageOrLast, timestampKey } from 'plinth/db/list'
import { jobSchedules, jobs } from 'plinth/db/schema'
import { pageSize } from 'plinth/http/fields'
import { z } from 'zod'

export const { cursorField: jobCursorField, encodeCursor: encodeJobCursor } = defineCursor(
  z.object({ key: timestampKey, id: z.string().regex(/^\d{1,15}$/) }),
)

const isRunning = sql<boolean>`(${jobs.startedAt} is not null and ${jobs.dueAt} > now())`

export async function countJobs() {
  const count = (condition: SQL) =>
    sql<number>`count(*) filter (where ${condition})`.mapWith(Number)
  const [counts] = await database()
    .select({
      waiting: count(sql`${jobs.failedAt} is null and not ${isRunning}`),
      running: count(sql`${jobs.failedAt} is null and ${isRunning}`),
      failed: count(isNotNull(jobs.failedAt)),
    })
    .from(jobs)
  return counts ?? { waiting: 0, running: 0, failed: 0 }
}

type FailedJob = Pick<typeof jobs.$inferSelect, 'id' | 'name' | 'data' | 'attempts'> & {
  reason: string
  failedAt: Date
}

/** Newest first. */
export async function listFailedJobs(cursor: Cursor | undefined) {
  // Its own column may be null, but not in this list.
  const failedAt = sql<Date>`${jobs.failedAt}`
  const { rows, next, previous } = await readPageOrLast(
    {
      order: { key: failedAt, id: jobs.id, direction: 'desc' },
      cursor,
      limit: pageSize.default,
      keyOf: (row: FailedJob) => row.failedAt,
    },
    ({ where, orderBy, limit }) =>
      database()
        .select({
          id: jobs.id,
          name: jobs.name,
          data: jobs.data,
          attempts: jobs.attempts,
          reason: sql<string>`coalesce(${jobs.reason}, '')`,
          failedAt: failedAt.mapWith(jobs.createdAt),
        })
        .from(jobs)
        .where(sql`${isNotNull(jobs.failedAt)} and ${where ?? sql`true`}`)
        .orderBy(...orderBy)
        .limit(limit),
  )
  return { jobs: rows.map((row) => ({ ...row, data: JSON.stringify(row.data) })), next, previous }
}

const maxActive = 50

/** The jobs that run, then the jobs that are due next. */
export function listActiveJobs() {
  return database()
    .select({
      id: jobs.id,
      name: jobs.name,
      isRunning,
      startedAt: jobs.startedAt,
      dueAt: jobs.dueAt,
      attempts: jobs.attempts,
      reason: jobs.reason,
    })
    .from(jobs)
    .where(isNull(jobs.failedAt))
    .orderBy(sql`${isRunning} desc`, asc(jobs.dueAt), asc(jobs.id))
    .limit(maxActive)
}

export function listSchedules() {
  return database().select().from(jobSchedules).orderBy(asc(jobSchedules.nextAt), jobSchedules.name)
}
