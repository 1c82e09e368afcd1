import { testDatabase } from '@tests/support/database'
import { sql } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import { jobSchedules, jobs } from '@/core/db/schema'
import { job, jobsOfModules } from '@/core/jobs/job'
import { storeSchedules } from '@/core/jobs/schedules'
import { runDueJobs } from '@/core/jobs/worker'

const db = testDatabase()

afterEach(async () => {
  await db.database.delete(jobs)
  await db.database.delete(jobSchedules)
})

function nightly({ schedule = '0 3 * * *', work = async () => {} } = {}) {
  const calls: number[] = []
  const declared = job({ name: 'example.nightly', schedule, attempts: 1 }, async ({ attempt }) => {
    calls.push(attempt)
    await work()
  })
  return { calls, known: jobsOfModules([{ id: 'example', jobs: [declared] }]) }
}

const schedules = () => db.database.select().from(jobSchedules)
const wait = (interval: string) =>
  db.database.update(jobSchedules).set({ nextAt: sql`next_at - ${interval}::interval` })

test('it runs when its time has come, once, and then at its next time', async () => {
  const { calls, known } = nightly()
  await storeSchedules(known)
  expect(await runDueJobs(known)).toBe(0)
  const [before] = await schedules()
  expect(before).toMatchObject({ schedule: '0 3 * * *', timeZone: 'UTC', lastEndedAt: null })
  expect(before?.nextAt.toISOString()).toMatch(/T03:00:00\.000Z$/)

  await wait('1 day')
  expect(await runDueJobs(known)).toBe(1)
  expect(await runDueJobs(known)).toBe(0)
  expect(calls).toHaveLength(1)
  expect(await schedules()).toMatchObject([
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
  const [kept] = await schedules()
  await storeSchedules(nightly().known)
  expect(await schedules()).toEqual([kept])
  await storeSchedules(nightly({ schedule: '15 4 * * *' }).known)
  const [changed] = await schedules()
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
  expect(await schedules()).toMatchObject([{ lastOutcome: 'failure' }])
})
