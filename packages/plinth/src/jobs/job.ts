import { EventEmitter } from 'node:events'
import { Cron } from 'croner'
import type { z } from 'zod'
import { StartupError } from '#config/env'
import { onCommit } from '#db/after-commit'
import type { Database } from '#db/client'
import { jobs } from '#db/schema'
import { createWakeUp } from '#jobs/queue-worker'

type Options = {
  /** The module's id, a dot and a name. */
  name: JobName
  /** How often it is tried before it is listed as failed. */
  attempts?: number
  /** An attempt that takes longer has failed. */
  timeoutMinutes?: number
  /** How many of them a process runs at a time. Jobs of other names do not count. */
  concurrency?: number
}

type JobName = `${string}.${string}`

type Schedule = {
  /** A cron expression, such as `0 3 * * *`. */
  schedule: string
  /** UTC, by default. */
  timeZone?: string
}

type Given<Data> = {
  data: Data
  /** Aborts when the time is over or the process shuts down. */
  signal: AbortSignal
  /** 1 for the first. */
  attempt: number
}

/** A kind of job, for the manifest. */
export type Job = Required<Options> & {
  cron: Required<Schedule> | undefined
  run: (given: Given<unknown>) => Promise<void>
}

type EnqueueOptions = {
  /** Not before this time. */
  dueAt?: Date
  /** While a job with this key waits or runs, no other is added. */
  key?: string
}

type QueueableJob<Schema extends z.ZodObject> = Job & {
  /** In the transaction that causes the job. A worker runs it when the transaction has committed. */
  enqueue(transaction: Database, data: z.input<Schema>, options?: EnqueueOptions): Promise<void>
}

type Run<Given> = (given: Given) => Promise<void>

/**
 * Work that a process does in the background: when `enqueue` adds it, or at the times of a `schedule`.
 * It runs again if its process dies, so it has to be repeatable.
 */
export function job(declaration: Options & Schedule, run: Run<Omit<Given<unknown>, 'data'>>): Job
export function job<Schema extends z.ZodObject>(
  declaration: Options & { data: Schema },
  run: Run<Given<z.output<Schema>>>,
): QueueableJob<Schema>
export function job(
  declaration: Options & (Schedule | { data: z.ZodObject }),
  run: Run<Given<Record<string, unknown>>>,
): Job | QueueableJob<z.ZodObject> {
  const { name, attempts = 10, timeoutMinutes = 10, concurrency = 3 } = declaration
  const options = { name, attempts, timeoutMinutes, concurrency }
  if ('schedule' in declaration) {
    const { schedule, timeZone = 'UTC' } = declaration
    return { ...options, cron: { schedule, timeZone }, run: (given) => run({ ...given, data: {} }) }
  }
  const { data: schema } = declaration
  return {
    ...options,
    cron: undefined,
    run: ({ data, ...given }) => run({ ...given, data: schema.parse(data) }),
    enqueue: async (transaction, data, { dueAt, key } = {}) => {
      schema.parse(data)
      await transaction
        .insert(jobs)
        .values({ name, data, key: key ?? null, ...(dueAt ? { dueAt } : {}) })
        .onConflictDoNothing()
      onCommit(jobWakeUp.wake)
    },
  }
}

/** Exported for a test that counts the listeners. */
export const jobEvents = new EventEmitter()
export const jobWakeUp = createWakeUp(jobEvents)

/** The first time of the schedule after `time`. */
export function nextRun({ schedule, timeZone }: Required<Schedule>, time: Date): Date {
  const next = new Cron(schedule, { timezone: timeZone }).nextRun(time)
  if (!next) throw new Error(`The schedule "${schedule}" never occurs.`)
  return next
}

export type JobsByName = ReadonlyMap<string, Job>

type Installed = { id: string; jobs?: readonly Job[] }

/** The jobs of all modules. Names start with the id of the module, so that no two are the same. */
export function jobsOfModules(modules: readonly Installed[]): JobsByName {
  const found = new Map<string, Job>()
  for (const { id, jobs = [] } of modules) {
    for (const one of jobs) {
      const problem = problemOf(one, id) ?? (found.has(one.name) && 'two jobs have this name')
      if (problem) throw new StartupError(`Module ${id}: job "${one.name}": ${problem}.`)
      found.set(one.name, one)
    }
  }
  return found
}

function problemOf({ name, cron, concurrency }: Job, moduleId: string): string | undefined {
  if (!name.startsWith(`${moduleId}.`)) return `its name must start with "${moduleId}."`
  if (!(concurrency >= 1)) return 'its concurrency must be 1 or more'
  if (!cron) return undefined
  try {
    nextRun(cron, new Date())
  } catch (error) {
    return `its schedule is invalid: ${error instanceof Error ? error.message : error}`
  }
}
