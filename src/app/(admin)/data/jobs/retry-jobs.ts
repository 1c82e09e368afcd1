import 'server-only'
import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import { onCommit } from 'plinth/db/after-commit'
import type { Database } from 'plinth/db/client'
import { jobSchedules, jobs } from 'plinth/db/schema'
import { jobWakeUp } from 'plinth/jobs/job'
import { scheduleKey } from 'plinth/jobs/schedules'

type JobName = { name: string }

export async function findFailedJob(tx: Database, id: number): Promise<JobName | undefined> {
  const [found] = await tx
    .select({ name: jobs.name })
    .from(jobs)
    .where(and(eq(jobs.id, id), isNotNull(jobs.failedAt)))
    .for('update')
  return found
}

/** Returns whether it waits again: not if another job with its key already does. */
export async function retryJob(tx: Database, id: number): Promise<boolean> {
  return (await retry(tx, sql`failed.id = ${id}`)) > 0
}

/** Returns how many wait again. */
export function retryFailedJobs(tx: Database): Promise<number> {
  return retry(tx, sql`true`)
}

/** Retries only the newest of several jobs with one key. */
async function retry(tx: Database, condition: SQL): Promise<number> {
  const chosen = sql`(
    select distinct on (failed.name, coalesce(failed.key, failed.id::text)) failed.id
    from jobs as failed
    where failed.failed_at is not null and ${condition} and not exists (
      select from jobs as active
      where active.failed_at is null and active.name = failed.name and active.key = failed.key
    )
    order by failed.name, coalesce(failed.key, failed.id::text), failed.failed_at desc
  )`
  const retried = await tx
    .update(jobs)
    .set({ failedAt: null, attempts: 0, dueAt: sql`now()` })
    .where(sql`${jobs.id} in ${chosen}`)
    .returning({ id: jobs.id })
  onCommit(jobWakeUp.wake)
  return retried.length
}

export async function deleteFailedJob(tx: Database, id: number): Promise<void> {
  await tx.delete(jobs).where(and(eq(jobs.id, id), isNotNull(jobs.failedAt)))
}

export async function isScheduled(tx: Database, name: string): Promise<boolean> {
  return (await tx.$count(jobSchedules, eq(jobSchedules.name, name))) > 0
}

/** Returns whether a job was added: not if one of this schedule waits or runs. */
export async function runSchedule(tx: Database, name: string): Promise<boolean> {
  const added = await tx
    .insert(jobs)
    .values({ name, key: scheduleKey })
    .onConflictDoNothing()
    .returning({ id: jobs.id })
  onCommit(jobWakeUp.wake)
  return added.length > 0
}
