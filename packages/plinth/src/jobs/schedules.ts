import { and, eq, inArray, lt, lte, min, notInArray, sql } from 'drizzle-orm'
import { type Database, database } from '#db/client'
import { jobSchedules, jobs } from '#db/schema'
import { type Job, type JobsByName, nextRun } from '#jobs/job'

type ScheduledJob = Job & { cron: NonNullable<Job['cron']> }

/** The key of the job that a schedule adds: while one waits or runs, the next time adds none. */
export const scheduleKey = 'schedule'

export const schedules: { names?: string[] } = {}

/** A schedule that is new or has changed starts from now. The others go on. */
export async function storeSchedules(known: JobsByName): Promise<void> {
  const scheduled = scheduledJobs(known)
  schedules.names = scheduled.map(({ name }) => name)
  if (scheduled.length === 0) return
  const now = await databaseTime(database())
  for (const { name, cron } of scheduled) {
    const values = { ...cron, nextAt: nextRun(cron, now) }
    await database()
      .insert(jobSchedules)
      .values({ name, ...values })
      .onConflictDoUpdate({
        target: jobSchedules.name,
        set: values,
        setWhere: sql`(${jobSchedules.schedule}, ${jobSchedules.timeZone})
          <> (excluded.schedule, excluded.time_zone)`,
      })
  }
}

/**
 * Adds a job for each schedule whose time has come. The row of a schedule is locked and gets its next
 * time in the same transaction, so only one of all processes adds the job. Times that were missed
 * while no process ran are one job.
 */
export async function enqueueScheduledJobs(known: JobsByName): Promise<void> {
  const names = scheduledJobs(known).map(({ name }) => name)
  if (names.length === 0) return
  const isDue = and(inArray(jobSchedules.name, names), lte(jobSchedules.nextAt, sql`now()`))
  if ((await database().$count(jobSchedules, isDue)) === 0) return
  await database().transaction(async (tx) => {
    const due = await tx
      .select({ name: jobSchedules.name })
      .from(jobSchedules)
      .where(isDue)
      .for('update', { skipLocked: true })
    const now = await databaseTime(tx)
    for (const { name } of due) {
      const cron = known.get(name)?.cron
      if (!cron) continue
      await tx.insert(jobs).values({ name, key: scheduleKey }).onConflictDoNothing()
      await tx
        .update(jobSchedules)
        .set({ nextAt: nextRun(cron, now) })
        .where(eq(jobSchedules.name, name))
    }
  })
}

/**
 * The oldest time that has come without a job. The schedules that this process does not know are left
 * to others, as their jobs are. A process without jobs, such as the doctor, counts all.
 */
export function oldestDueSchedule(from: Database) {
  const isKnown = schedules.names && inArray(jobSchedules.name, schedules.names)
  return from
    .select({ nextAt: min(jobSchedules.nextAt) })
    .from(jobSchedules)
    .where(and(lte(jobSchedules.nextAt, sql`now()`), isKnown))
}

const keptUnknown = '1 day'

/** Deletes schedules of removed jobs: a process that knows a schedule keeps its time in the future. */
export async function deleteUnknownSchedules(max: number): Promise<number> {
  if (!schedules.names) return 0
  const unknown = database()
    .select({ name: jobSchedules.name })
    .from(jobSchedules)
    .where(
      and(
        notInArray(jobSchedules.name, schedules.names),
        lt(jobSchedules.nextAt, sql`now() - ${keptUnknown}::interval`),
      ),
    )
    .limit(max)
    .for('update', { skipLocked: true })
  const deleted = await database()
    .delete(jobSchedules)
    .where(inArray(jobSchedules.name, unknown))
    .returning({ name: jobSchedules.name })
  return deleted.length
}

function scheduledJobs(known: JobsByName): ScheduledJob[] {
  return [...known.values()].filter((one): one is ScheduledJob => one.cron !== undefined)
}

/** The clock of a process may be wrong. */
async function databaseTime(database: Database): Promise<Date> {
  const [row] = await database
    .select({ now: sql`now()`.mapWith(jobSchedules.nextAt) })
    .from(sql`(select 1) as one`)
  if (!row) throw new Error('The database returned no time.')
  return row.now
}
