import { sql } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { env } from '#config/env'
import { jobSchedules, jobs } from '#db/schema'
import { checkQueues } from '#doctor/checks/contents'
import { job, jobsOfModules } from '#jobs/job'
import { deleteUnknownSchedules, schedules, storeSchedules } from '#jobs/schedules'
import { countJobs, runDueJobs } from '#jobs/worker'
import { testDatabase } from '#testing/database/database'

const db = testDatabase()

afterEach(async () => {
  await db.database.delete(jobs)
  await db.database.delete(jobSchedules)
  // As in a process that has stored none.
  delete schedules.names
})

function nightly({ schedule = '0 3 * * *', work = async () => {} } = {}) {
  const calls: number[] = []
  const declared = job({ name: 'example.nightly', schedule, attempts: 1 }, async ({ attempt }) => {
    calls.push(attempt)
    await work()
  })
  return { calls, known: jobsOfModules([{ id: 'example', jobs: [declared] }]) }
}

const stored = () => db.database.select().from(jobSchedules)
const wait = (interval: string) =>
  db.database.update(jobSchedules).set({ nextAt: sql`next_at - ${interval}::interval` })

test('it runs when its time has come, once, and then at its next time', async () => {
  const { calls, known } = nightly()
  await storeSchedules(known)
  expect(await runDueJobs(known)).toBe(0)
  const [before] = await stored()
  expect(before).toMatchObject({ schedule: '0 3 * * *', timeZone: 'UTC', lastEndedAt: null })
  expect(before?.nextAt.toISOString()).toMatch(/T03:00:00\.000Z$/)

  await wait('1 day')
  expect(await runDueJobs(known)).toBe(1)
  expect(await runDueJobs(known)).toBe(0)
  expect(calls).toHaveLength(1)
  expect(await stored()).toMatchObject([
    { nextAt: before?.nextAt, lastOutcome: 'success', lastEndedAt: expect.any(Date) },
  ])
})

test('the times that were missed while no process ran are one job', async () => {
  const { calls, known } = nightly()
  await storeSchedules(known)
  await wait('30 days')
  await runDueJobs(known)
  expect(await runDueJobs(known)).toBe(0)
  expect(calls).toHaveLength(1)
})

test('a restart keeps the next time; a changed schedule gets a new one', async () => {
  await storeSchedules(nightly().known)
  await wait('2 hours')
  const [kept] = await stored()
  await storeSchedules(nightly().known)
  expect(await stored()).toEqual([kept])
  await storeSchedules(nightly({ schedule: '15 4 * * *' }).known)
  const [changed] = await stored()
  expect(changed?.nextAt.toISOString()).toMatch(/T04:15:00\.000Z$/)
})

test('while one run waits or runs, the next time adds none', async () => {
  const { calls, known } = nightly({ work: () => wait('1 day').then(() => {}) })
  await storeSchedules(known)
  await wait('1 day')
  await runDueJobs(known)
  // The time came again during the run.
  expect(await db.database.$count(jobs)).toBe(0)
  await runDueJobs(known)
  expect(calls).toHaveLength(2)
})

test('a failed run is listed once, however often it fails', async () => {
  const { known } = nightly({
    work: async () => {
      throw new Error('no luck')
    },
  })
  await storeSchedules(known)
  for (let night = 1; night <= 3; night += 1) {
    await wait('1 day')
    await runDueJobs(known)
  }
  expect(await db.database.select().from(jobs)).toMatchObject([
    { name: 'example.nightly', reason: 'no luck', failedAt: expect.any(Date) },
  ])
  expect(await stored()).toMatchObject([{ lastOutcome: 'failure' }])
})

function addSchedule(name: string, age: string) {
  const nextAt = sql`now() - ${age}::interval`
  return db.database
    .insert(jobSchedules)
    .values({ name, schedule: '0 3 * * *', timeZone: 'UTC', nextAt })
}

const overdueSeconds = async () => (await countJobs()).overdueSeconds

test('a schedule whose time has come is overdue until a worker has added its job', async () => {
  const { known } = nightly()
  await storeSchedules(known)
  expect(await overdueSeconds()).toBe(0)
  await addSchedule('example.later', '-1 hour')
  await db.database.update(jobSchedules).set({ nextAt: sql`now() - interval '2 hours'` })
  expect(await overdueSeconds()).toBeCloseTo(7200, -2)
  await db.database.insert(jobs).values({
    name: 'example.nightly',
    dueAt: sql`now() - interval '1 hour'`,
  })
  expect(await overdueSeconds(), 'the oldest of both').toBeCloseTo(7200, -2)
  await db.database.delete(jobs)
  await runDueJobs(known)
  expect(await overdueSeconds()).toBe(0)
})

test('a process without jobs counts the schedules of all, one with jobs its own', async () => {
  await addSchedule('removed.nightly', '2 hours')
  expect(await overdueSeconds()).toBeCloseTo(7200, -2)
  await storeSchedules(nightly().known)
  expect(await overdueSeconds()).toBe(0)
})

test('the doctor reports a late schedule, but not of a stopped server with the embedded database', async () => {
  await addSchedule('core.audit_log', '50 hours')
  const check = async (embedded: boolean) => {
    const findings = await checkQueues(db.connection, { settings: { ...env(), embedded } })
    return findings.map(({ level, message }) => `${level}: ${message}`)
  }
  expect(await check(false)).toEqual(['warning: The oldest job has been due for 50 hours.'])
  expect(await check(true)).toEqual(['ok: No job has failed or is late.'])
})

test('the sweep deletes schedules a day late whose job is gone, in batches', async () => {
  const noLongerScheduled = job({ name: 'example.queued', data: z.object({}) }, async () => {})
  const { known } = nightly()
  await storeSchedules(new Map([...known, [noLongerScheduled.name, noLongerScheduled]]))
  await wait('10 days')
  await addSchedule('removed.one', '25 hours')
  await addSchedule('example.queued', '25 hours')
  // A process of another version, or one that is being replaced, may have these schedules.
  await addSchedule('removed.recently', '23 hours')
  await addSchedule('added.later', '-1 hour')
  expect(await deleteUnknownSchedules(1)).toBe(1)
  expect(await deleteUnknownSchedules(500)).toBe(1)
  expect(await deleteUnknownSchedules(500)).toBe(0)
  const kept = (await stored()).map(({ name }) => name)
  expect(kept.sort()).toEqual(['added.later', 'example.nightly', 'removed.recently'])
})

test('a process that has stored no schedules deletes none', async () => {
  await addSchedule('removed.one', '30 days')
  expect(await deleteUnknownSchedules(500)).toBe(0)
})
