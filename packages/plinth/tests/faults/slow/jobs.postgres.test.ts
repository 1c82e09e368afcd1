import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Connection } from '#db/client'
import { rowsOf } from '#db/client'
import { jobSchedules, jobs } from '#db/schema'
import { type FreshDatabase, freshDatabase, openFresh } from '#testing/database/database'
import { type RunningProgram, run } from '#testing/program'
import { compileProgram } from '../../support/compile-program'

let fresh: FreshDatabase
let connection: Connection
let program: string
const processes: RunningProgram[] = []

beforeAll(async () => {
  program = await compileProgram('run-jobs.ts')
  fresh = await freshDatabase()
  connection = await openFresh(fresh)
  await connection.database.execute(sql`create table job_runs (name text, pid integer)`)
})

afterEach(async () => {
  await stopProcesses()
  await connection.database.delete(jobs)
})

afterAll(async () => {
  await connection.close()
  await fresh.remove()
})

async function startProcesses(count: number): Promise<RunningProgram[]> {
  const started = Array.from({ length: count }, () => run('node', [program], fresh.settings))
  processes.push(...started)
  await Promise.all(started.map(({ waitFor }) => waitFor(/ready/)))
  return started
}

async function stopProcesses(): Promise<void> {
  for (const { child } of processes) child.kill('SIGKILL')
  await Promise.all(processes.splice(0).map(({ exited }) => exited))
}

async function runsOf(name: string): Promise<readonly { pid: number }[]> {
  return rowsOf(
    await connection.database.execute(sql`select pid from job_runs where name = ${name}`),
  )
}

const stored = () => connection.database.select().from(jobs)
/** As if the minute of its lease had passed. */
const endLease = () => connection.database.update(jobs).set({ dueAt: sql`now()` })

test('on a cluster of five processes, a nightly job runs once for each night', async () => {
  await startProcesses(5)
  const { database } = connection
  await expect.poll(() => database.$count(jobSchedules), { timeout: 30_000 }).toBe(1)
  for (let night = 1; night <= 8; night += 1) {
    await database.update(jobSchedules).set({ nextAt: sql`now() - interval '1 second'` })
    await expect.poll(async () => (await runsOf('nightly')).length, { timeout: 30_000 }).toBe(night)
    // Time in which the others could run it too.
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(await runsOf('nightly')).toHaveLength(night)
  }
})

test('a job whose process is killed half way runs again in another process', async () => {
  const started = await startProcesses(2)
  await connection.database.insert(jobs).values({ name: 'test.interrupted' })
  const first = await Promise.race(
    started.map(async (one) => {
      await one.waitFor(/attempt 1 started/)
      return one
    }),
  )
  const [running] = await stored()
  expect(running?.startedAt).toBeInstanceOf(Date)
  expect(running?.dueAt.getTime()).toBeGreaterThan(Date.now() + 30_000)
  first.child.kill('SIGKILL')
  await first.exited
  expect(await runsOf('interrupted')).toEqual([])
  await endLease()
  await expect.poll(() => runsOf('interrupted'), { timeout: 30_000 }).toHaveLength(1)
  const [{ pid } = { pid: 0 }] = await runsOf('interrupted')
  expect(pid).not.toBe(first.pid)
  await expect.poll(stored, { timeout: 10_000 }).toEqual([])
})

test('a job that ends every process that runs it is in the list of failed jobs', async () => {
  const started = await startProcesses(3)
  await connection.database.insert(jobs).values({ name: 'test.poison' })
  for (let death = 1; death <= 2; death += 1) {
    const killed = () => started.filter(({ child }) => child.signalCode === 'SIGKILL').length
    await expect.poll(killed, { timeout: 30_000 }).toBe(death)
    await endLease()
  }
  const failed = eq(jobs.reason, 'The process ended while the job ran.')
  await expect.poll(() => connection.database.$count(jobs, failed), { timeout: 30_000 }).toBe(1)
  expect(started.filter(({ child }) => child.exitCode === null && !child.signalCode)).toHaveLength(
    1,
  )
})
