import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import { type Database, database } from '#db/client'
import { jobSchedules, jobs } from '#db/schema'
import { waitForTable } from '#db/wait'
import { logFailure } from '#http/request-log'
import {
  type Claimed,
  claimDueJobs,
  isStillOurs,
  kindOf,
  limitsOf,
  postpone,
  release,
  renewLease,
  shorten,
} from '#jobs/claim'
import { type Job, type JobsByName, jobWakeUp } from '#jobs/job'
import { startQueueWorker } from '#jobs/queue-worker'
import { oldestDueSchedule, scheduleKey, storeSchedules } from '#jobs/schedules'
import { runAsWork } from '#log/current-request'
import { errorMessage } from '#log/errors'
import { log } from '#log/log'
import { inSpan } from '#log/trace'
import { count, histogram, observeSince } from '#metrics/metrics'

/** A third of the lease, so that a renewal may fail. */
const renewIntervalMs = 20_000

const current: { stop?: () => Promise<void> } = {}

/** Runs jobs in the background. Any number of processes can do so. */
export async function startJobWorker(known: JobsByName): Promise<void> {
  await waitForTable('job_schedules', () => storeSchedules(known))
  // With 0 from the start, so that a first failure is seen as an increase.
  for (const name of known.keys()) {
    for (const result of ['success', 'retry', 'failure']) countRun(name, result, 0)
  }
  current.stop = startQueueWorker({
    name: 'job',
    wakeUp: jobWakeUp,
    limits: limitsOf(known),
    kindOf: ({ name }: Claimed) => kindOf(name, known),
    claim: (free) => claimDueJobs(known, free),
    process: (claimed, stopping) => runClaimed(claimed, known.get(claimed.name), stopping),
  })
}

export async function stopJobWorker(): Promise<void> {
  const { stop } = current
  delete current.stop
  await stop?.()
}

/** Returns how many jobs it ran. */
export async function runDueJobs(known: JobsByName): Promise<number> {
  const claimed = await claimDueJobs(known, limitsOf(known))
  const never = new AbortController().signal
  await Promise.all(claimed.map((one) => runClaimed(one, known.get(one.name), never)))
  return claimed.length
}

function runClaimed(
  claimed: Claimed,
  declared: Job | undefined,
  stopping: AbortSignal,
): Promise<void> {
  const { id, name, attempts: attempt } = claimed
  const attributes = { 'plinth.job.id': id, 'plinth.attempt': attempt }
  return runAsWork({ job: { id, name, attempt } }, () =>
    inSpan({ name: `job ${name}`, attributes }, (annotate) =>
      attemptJob(claimed, declared, stopping, (result) => {
        countRun(name, result)
        annotate({ 'plinth.outcome': result })
        if (result !== 'success') annotate({ 'error.type': 'job' })
      }),
    ),
  )
}

async function attemptJob(
  claimed: Claimed,
  declared: Job | undefined,
  stopping: AbortSignal,
  report: (result: 'success' | 'retry' | 'failure') => void,
): Promise<void> {
  const { attempts: attempt } = claimed
  if (!declared) return fail(claimed, 'No installed module has this job.')
  // The process of the last attempt died, maybe because of the job.
  if (attempt > declared.attempts) {
    report('failure')
    return fail(claimed, 'The process ended while the job ran.')
  }
  const startedAt = performance.now()
  try {
    await runWithLease(claimed, declared, stopping)
    await finish(claimed)
    const milliseconds = Math.round(performance.now() - startedAt)
    log().info({ milliseconds }, 'job done')
    report('success')
  } catch (error) {
    if (stopping.aborted) return release(claimed)
    const isLast = attempt >= declared.attempts
    report(isLast ? 'failure' : 'retry')
    if (isLast) return fail(claimed, errorMessage(error))
    logFailure(error, 'job failed; retrying later', { level: 'warn' })
    await postpone(claimed, errorMessage(error))
  }
}

function countRun(name: string, result: string, by = 1): void {
  count('plinth_job_runs_total', { name, result }, by)
}

/** Rejects when the time is over, even if the job ignores its signal. */
async function runWithLease(
  claimed: Claimed,
  { run, timeoutMinutes }: Job,
  stopping: AbortSignal,
): Promise<void> {
  const startedAt = performance.now()
  const over = new AbortController()
  const end = (reason: string) => over.abort(new Error(reason))
  const timer = setTimeout(
    end,
    timeoutMinutes * 60_000,
    `It took longer than ${timeoutMinutes} min.`,
  )
  const renewal = setInterval(async () => {
    try {
      if (!(await renewLease(claimed))) end('Another process has taken the job over.')
    } catch (error) {
      logFailure(error, 'job not renewed', { level: 'warn' })
    }
  }, renewIntervalMs)
  try {
    const signal = AbortSignal.any([stopping, over.signal])
    const { data, attempts: attempt } = claimed
    const running = run({ data, signal, attempt })
    running.catch((error) => over.signal.aborted && logLate(error, over.signal))
    await Promise.race([running, rejectWhenAborted(over.signal)])
  } finally {
    clearTimeout(timer)
    clearInterval(renewal)
    if (!stopping.aborted) {
      observeSince(histogram('plinth_job_duration_seconds', { name: claimed.name }), startedAt)
    }
  }
}

/** The attempt has ended with the signal. A job that ends because of it is no news. */
function logLate(error: unknown, signal: AbortSignal): void {
  const isEnd = error === signal.reason || (error instanceof Error && error.name === 'AbortError')
  if (isEnd) return
  count('plinth_uncaught_errors_total', { kind: 'rejection' })
  logFailure(error, 'job failed after its time was over')
}

function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}

async function finish(claimed: Claimed): Promise<void> {
  await database().transaction(async (tx) => {
    await tx.delete(jobs).where(isStillOurs(claimed))
    await noteScheduledRun(tx, claimed, 'success')
  })
}

async function fail(claimed: Claimed, reason: string): Promise<void> {
  const { name } = claimed
  await database().transaction(async (tx) => {
    const failure = { failedAt: sql`now()`, startedAt: null, reason: shorten(reason) }
    if (claimed.key === scheduleKey) await deleteEarlierFailure(tx, name)
    await tx.update(jobs).set(failure).where(isStillOurs(claimed))
    await noteScheduledRun(tx, claimed, 'failure')
  })
  log().error({ reason }, 'job failed; giving up')
}

/** One failure of a schedule is listed, not one for each time. */
async function deleteEarlierFailure(tx: Database, name: string): Promise<void> {
  await tx
    .delete(jobs)
    .where(and(eq(jobs.name, name), eq(jobs.key, scheduleKey), isNotNull(jobs.failedAt)))
}

const keptFailures = '30 days'

export async function deleteOldFailures(max: number): Promise<number> {
  const old = sql`(select id from jobs where failed_at < now() - ${keptFailures}::interval
    order by failed_at limit ${max})`
  const deleted = await database()
    .delete(jobs)
    .where(sql`${jobs.id} in ${old}`)
    .returning({ id: jobs.id })
  return deleted.length
}

/** A job whose lease has ended waits again. A schedule has no job until a worker has added it. */
export async function countJobs(from: Database = database(), { schedules = true } = {}) {
  const counted = (condition: SQL) => sql`count(*) filter (where ${condition})`.mapWith(Number)
  const isDue = sql`${jobs.failedAt} is null and ${jobs.dueAt} <= now()`
  const isLater = sql`${jobs.failedAt} is null and ${jobs.dueAt} > now()`
  const oldestJob = sql`min(${jobs.dueAt}) filter (where ${isDue})`
  const oldest = schedules ? sql`least(${oldestJob}, ${oldestDueSchedule(from)})` : oldestJob
  const [row] = await from
    .select({
      waiting: counted(isDue),
      scheduled: counted(sql`${isLater} and ${jobs.startedAt} is null`),
      running: counted(sql`${isLater} and ${jobs.startedAt} is not null`),
      failed: counted(sql`${jobs.failedAt} is not null`),
      overdueSeconds: sql`coalesce(extract(epoch from now() - ${oldest}), 0)`.mapWith(Number),
    })
    .from(jobs)
  return row ?? { waiting: 0, scheduled: 0, running: 0, failed: 0, overdueSeconds: 0 }
}

async function noteScheduledRun(
  tx: Database,
  { name, key }: Claimed,
  lastOutcome: 'success' | 'failure',
): Promise<void> {
  if (key !== scheduleKey) return
  await tx
    .update(jobSchedules)
    .set({ lastEndedAt: sql`now()`, lastOutcome })
    .where(eq(jobSchedules.name, name))
}
