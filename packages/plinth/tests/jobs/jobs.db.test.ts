import { EventEmitter, once } from 'node:events'
import { eq, sql } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { jobs } from '#db/schema'
import { job, jobEvents, jobsOfModules } from '#jobs/job'
import { deleteOldFailures, runDueJobs, startJobWorker, stopJobWorker } from '#jobs/worker'
import { testDatabase } from '#testing/database/database'
import { captureLog } from '../support/log'

const db = testDatabase()

afterEach(async () => {
  await stopJobWorker()
  await db.database.delete(jobs)
})

type Call = { text: string; attempt: number }

/** A job that notes its calls and then does what the test wants. */
function exampleJob(work: (call: Call, signal: AbortSignal) => Promise<void> = async () => {}) {
  const calls: Call[] = []
  const example = job(
    { name: 'example.note', data: z.object({ text: z.string().min(1) }), attempts: 3 },
    async ({ data: { text }, attempt, signal }) => {
      calls.push({ text, attempt })
      await work({ text, attempt }, signal)
    },
  )
  return { example, calls, known: jobsOfModules([{ id: 'example', jobs: [example] }]) }
}

const stored = () => db.database.select().from(jobs).orderBy(jobs.id)
const makeDue = () => db.database.update(jobs).set({ dueAt: sql`now()` })
const fails = async () => {
  throw new Error('no luck')
}

test('a job runs with its data and is then gone', async () => {
  const { example, calls, known } = exampleJob()
  await example.enqueue(db.database, { text: 'a' })
  expect(await runDueJobs(known)).toBe(1)
  expect(calls).toEqual([{ text: 'a', attempt: 1 }])
  expect(await stored()).toEqual([])
})

test('the worker runs it as soon as the transaction has committed, and not if it is rolled back', async () => {
  const { example, calls, known } = exampleJob()
  await startJobWorker(known)
  const rolledBack = db.database.transaction(async (tx) => {
    await example.enqueue(tx, { text: 'never' })
    throw new Error('no')
  })
  await expect(rolledBack).rejects.toThrow('no')
  await db.database.transaction((tx) => example.enqueue(tx, { text: 'committed' }))
  await expect.poll(() => calls, { timeout: 5000 }).toEqual([{ text: 'committed', attempt: 1 }])
})

test('invalid data is rejected when it is enqueued', async () => {
  const { example } = exampleJob()
  await expect(example.enqueue(db.database, { text: '' })).rejects.toThrow('Too small')
  expect(await stored()).toEqual([])
})

test('a job with a due date waits for it', async () => {
  const { example, calls, known } = exampleJob()
  await example.enqueue(db.database, { text: 'later' }, { dueAt: new Date(Date.now() + 3_600_000) })
  expect(await runDueJobs(known)).toBe(0)
  await makeDue()
  expect(await runDueJobs(known)).toBe(1)
  expect(calls).toHaveLength(1)
})

test('of the jobs with one key, one waits; a failed one does not block the next', async () => {
  const { example, known } = exampleJob(fails)
  const options = { key: 'report' }
  await example.enqueue(db.database, { text: 'first' }, options)
  await example.enqueue(db.database, { text: 'second' }, options)
  expect(await stored()).toMatchObject([{ data: { text: 'first' } }])
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await runDueJobs(known)
    await makeDue()
  }
  await example.enqueue(db.database, { text: 'third' }, options)
  expect(await stored()).toMatchObject([
    { data: { text: 'first' }, failedAt: expect.any(Date) },
    { data: { text: 'third' }, failedAt: null },
  ])
})

test('a failed attempt is retried later, with its reason', async () => {
  const lines = captureLog('info')
  const { example, calls, known } = exampleJob(async ({ attempt }) => {
    if (attempt === 1) await fails()
  })
  await example.enqueue(db.database, { text: 'a' })
  await runDueJobs(known)
  const [waiting] = await stored()
  expect(waiting).toMatchObject({ attempts: 1, startedAt: null, failedAt: null, reason: 'no luck' })
  const seconds = ((waiting?.dueAt.getTime() ?? 0) - Date.now()) / 1000
  expect(seconds).toBeGreaterThan(20)
  expect(seconds).toBeLessThan(40)
  expect(await runDueJobs(known)).toBe(0)
  await makeDue()
  await runDueJobs(known)
  expect(calls.map(({ attempt }) => attempt)).toEqual([1, 2])
  expect(await stored()).toEqual([])
  expect(lines()).toMatchObject([
    { level: 'warn', msg: 'job failed; retrying later', job: { name: 'example.note', attempt: 1 } },
    { level: 'info', msg: 'job done', job: { name: 'example.note', attempt: 2 } },
  ])
})

test('after its last attempt it is in the list of failed jobs, for 30 days', async () => {
  const lines = captureLog('error')
  const { example, calls, known } = exampleJob(fails)
  await example.enqueue(db.database, { text: 'a' })
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    await runDueJobs(known)
    await makeDue()
  }
  expect(calls).toHaveLength(3)
  expect(await stored()).toMatchObject([
    { attempts: 3, startedAt: null, failedAt: expect.any(Date), reason: 'no luck' },
  ])
  expect(lines()).toMatchObject([{ msg: 'job failed; giving up', reason: 'no luck' }])

  expect(await deleteOldFailures(10)).toBe(0)
  await db.database.update(jobs).set({ failedAt: sql`now() - interval '31 days'` })
  expect(await deleteOldFailures(10)).toBe(1)
})

test('the reason has no parameters of a failed query', async () => {
  const { example, known } = exampleJob(async () => {
    await db.database.select().from(jobs).where(eq(sql`nowhere`, 'secret-parameter'))
  })
  await example.enqueue(db.database, { text: 'a' })
  await runDueJobs(known)
  const [{ reason } = { reason: '' }] = await stored()
  expect(reason).toContain('nowhere')
  expect(reason).not.toContain('secret-parameter')
})

test('a job that takes too long has failed, even if it ignores its signal', async () => {
  const slow = job(
    { name: 'example.slow', data: z.object({}), attempts: 1, timeoutMinutes: 0.001 },
    () => new Promise(() => {}),
  )
  await slow.enqueue(db.database, {})
  await runDueJobs(jobsOfModules([{ id: 'example', jobs: [slow] }]))
  expect(await stored()).toMatchObject([{ reason: 'It took longer than 0.001 min.' }])
})

test('an error of a job whose time was over is logged with the job', async () => {
  const lines = captureLog('error')
  const late = new EventEmitter()
  const slow = job(
    { name: 'example.slow', data: z.object({}), attempts: 2, timeoutMinutes: 0.001 },
    async () => {
      await once(late, 'end')
      throw new Error('too late')
    },
  )
  await slow.enqueue(db.database, {})
  await runDueJobs(jobsOfModules([{ id: 'example', jobs: [slow] }]))
  expect(lines()).toEqual([])
  late.emit('end')
  await expect.poll(lines).toMatchObject([
    {
      msg: 'job failed after its time was over',
      job: { name: 'example.slow', attempt: 1 },
      err: { message: 'too late', stack: expect.stringContaining('Error: too late') },
    },
  ])
})

test('a job that is cut off by a shutdown is due immediately, and the attempt does not count', async () => {
  const { example, calls, known } = exampleJob(
    (_, signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  )
  await example.enqueue(db.database, { text: 'a' })
  await startJobWorker(known)
  await expect.poll(() => calls.length, { timeout: 5000 }).toBe(1)
  await stopJobWorker()
  const [released] = await stored()
  expect(released).toMatchObject({ attempts: 0, startedAt: null, failedAt: null })
  expect(released?.dueAt.getTime()).toBeLessThanOrEqual(Date.now() + 1000)
})

test('a slow job does not delay the others', async () => {
  const slow = new EventEmitter()
  const { example, calls, known } = exampleJob(async ({ text }) => {
    if (text === 'slow') await once(slow, 'end')
  })
  await startJobWorker(known)
  await example.enqueue(db.database, { text: 'slow' })
  await expect.poll(() => calls.length, { timeout: 5000 }).toBe(1)
  for (let index = 0; index < 12; index += 1) {
    await example.enqueue(db.database, { text: `fast ${index}` })
  }
  await expect.poll(() => calls.length, { timeout: 10_000 }).toBe(13)
  await expect.poll(async () => (await stored()).length, { timeout: 5000 }).toBe(1)
  slow.emit('end')
  await expect.poll(async () => (await stored()).length, { timeout: 5000 }).toBe(0)
})

test('jobs of one kind that take long do not delay those of another', async () => {
  const end = new EventEmitter()
  const started: string[] = []
  const long = job({ name: 'example.long', data: z.object({}) }, async () => {
    started.push('long')
    await once(end, 'end')
  })
  const short = job({ name: 'example.short', data: z.object({}) }, async () => {
    started.push('short')
  })
  for (let index = 0; index < 8; index += 1) await long.enqueue(db.database, {})
  await startJobWorker(jobsOfModules([{ id: 'example', jobs: [long, short] }]))
  await expect.poll(() => started, { timeout: 5000 }).toEqual(['long', 'long', 'long'])
  await short.enqueue(db.database, {})
  await expect.poll(() => started.at(-1), { timeout: 5000 }).toBe('short')
  // No other one of the full kind was started, until one ends.
  expect(started).toHaveLength(4)
  end.emit('end')
  await expect.poll(() => started.length, { timeout: 5000 }).toBe(7)
  end.emit('end')
  await expect.poll(() => started.length, { timeout: 5000 }).toBe(9)
  end.emit('end')
  await expect.poll(stored, { timeout: 5000 }).toEqual([])
})

test('a declaration limits how many run at a time', async () => {
  let running = 0
  let most = 0
  const alone = job({ name: 'example.alone', data: z.object({}), concurrency: 1 }, async () => {
    running += 1
    most = Math.max(most, running)
    await db.database.execute(sql`select 1`)
    running -= 1
  })
  for (let index = 0; index < 10; index += 1) await alone.enqueue(db.database, {})
  await startJobWorker(jobsOfModules([{ id: 'example', jobs: [alone] }]))
  await expect.poll(stored, { timeout: 10_000 }).toEqual([])
  expect(most).toBe(1)
})

test('a busy worker has one listener, however many jobs it runs', async () => {
  let most = 0
  const { example, calls, known } = exampleJob(async () => {
    most = Math.max(most, jobEvents.listenerCount('wake'))
  })
  for (let index = 0; index < 40; index += 1) await example.enqueue(db.database, { text: 'a' })
  await startJobWorker(known)
  await expect.poll(() => calls.length, { timeout: 10_000 }).toBe(40)
  expect(most).toBe(1)
  await stopJobWorker()
  expect(jobEvents.listenerCount('wake')).toBe(0)
})

test('an unknown name is left to other processes for an hour, then listed as failed', async () => {
  const { example } = exampleJob()
  const others = jobsOfModules([])
  await example.enqueue(db.database, { text: 'a' })
  expect(await runDueJobs(others)).toBe(0)
  await db.database.update(jobs).set({ createdAt: sql`now() - interval '61 minutes'` })
  expect(await runDueJobs(others)).toBe(1)
  expect(await stored()).toMatchObject([{ reason: 'No installed module has this job.' }])
})

test('the database rejects data that is not small', async () => {
  const { example } = exampleJob()
  await expect(example.enqueue(db.database, { text: 'x'.repeat(20_000) })).rejects.toThrow()
})
