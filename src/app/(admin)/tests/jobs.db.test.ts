import { eq, sql } from 'drizzle-orm'
import type { PgInsertValue } from 'drizzle-orm/pg-core'
import { createDemoAccounts } from 'plinth/auth/accounts/users'
import { failedMail, jobSchedules, jobs, mailQueue } from 'plinth/db/schema'
import type { SignedInScope } from 'plinth/guard/policy'
import { lastEvent, signedInScope, testDatabase } from 'plinth/testing'
import { afterEach, beforeAll, expect, test } from 'vitest'
import {
  deleteJob,
  deleteUnsentMail,
  retryAllFailedJobs,
  retryFailedJob,
  retryUnsentMail,
  runScheduledJob,
} from '../admin/jobs/actions'
import { findUnsentMail } from '../data/jobs/failed-mail'
import { countJobs, listActiveJobs, listFailedJobs, listSchedules } from '../data/jobs/list-jobs'

const db = testDatabase()
let admin: SignedInScope

beforeAll(async () => {
  await createDemoAccounts(db.database)
  admin = await signedInScope(db.database, 'admin@example.com')
})

afterEach(async () => {
  await db.database.delete(jobs)
  await db.database.delete(jobSchedules)
  await db.database.delete(failedMail)
  await db.database.delete(mailQueue)
})

const failure = { attempts: 3, failedAt: sql`now()`, reason: 'no luck' }

async function addJob(values: Partial<PgInsertValue<typeof jobs>> = {}) {
  const [added] = await db.database
    .insert(jobs)
    .values({ name: 'example.task', ...values })
    .returning()
  return added?.id ?? 0
}

test('counts and lists jobs by state', async () => {
  const later = sql`now() + interval '1 minute'`
  await addJob({ name: 'example.waiting', dueAt: later })
  await addJob({ name: 'example.running', startedAt: sql`now()`, dueAt: later })
  // Its process has died.
  await addJob({ name: 'example.dead', startedAt: sql`now()`, attempts: 1 })
  await addJob({ name: 'example.failed', ...failure })
  expect(await countJobs()).toEqual({ waiting: 2, running: 1, failed: 1 })
  const active = await listActiveJobs()
  expect(active.map(({ name, isRunning }) => [name, isRunning])).toEqual([
    ['example.running', true],
    ['example.dead', false],
    ['example.waiting', false],
  ])
  const { jobs: failed } = await listFailedJobs(undefined)
  expect(failed).toMatchObject([{ name: 'example.failed', reason: 'no luck', data: '{}' }])
})

test('pages of failed jobs, newest first', async () => {
  for (let index = 0; index < 45; index += 1) {
    await addJob({ ...failure, failedAt: new Date(Date.UTC(2026, 0, 1, 0, index)) })
  }
  const first = await listFailedJobs(undefined)
  const second = await listFailedJobs(first.next)
  const listed = [...first.jobs, ...second.jobs].map(({ failedAt }) => failedAt.getTime())
  expect(listed).toEqual([...listed].sort((a, b) => b - a))
  expect(new Set(listed).size).toBe(listed.length)
  expect((await listFailedJobs(second.previous)).jobs).toEqual(first.jobs)
})

test('a failed job runs again from its first attempt, and the audit log says so', async () => {
  const id = await addJob({ ...failure, data: { postId: 1 } })
  expect(await retryFailedJob.run(admin, { jobId: id })).toEqual({ retried: 1 })
  expect(await db.database.select().from(jobs)).toMatchObject([
    { attempts: 0, failedAt: null, data: { postId: 1 } },
  ])
  expect(await lastEvent(db.database)).toMatchObject({
    action: 'retry_job',
    outcome: 'success',
    details: { job: 'example.task' },
  })
  expect(await retryFailedJob.run(admin, { jobId: id })).toMatchObject({ code: 'conflict' })
})

test('a failed job is not run again while another with its key waits', async () => {
  const id = await addJob({ ...failure, key: 'report' })
  await addJob({ key: 'report' })
  expect(await retryFailedJob.run(admin, { jobId: id })).toMatchObject({
    code: 'conflict',
    message: 'Job example.task is already waiting or running.',
  })
})

test('all failed jobs run again, of those with one key the newest', async () => {
  await addJob(failure)
  await addJob(failure)
  await addJob({ ...failure, key: 'report', failedAt: new Date('2026-01-01') })
  const newest = await addJob({ ...failure, key: 'report', failedAt: new Date('2026-01-02') })
  expect(await retryAllFailedJobs.run(admin, { jobs: 'failed' })).toEqual({ retried: 3 })
  expect(await countJobs()).toEqual({ waiting: 3, running: 0, failed: 1 })
  const [row] = await db.database.select().from(jobs).where(eq(jobs.id, newest))
  expect(row?.failedAt).toBeNull()
  await db.database.delete(jobs)
  expect(await retryAllFailedJobs.run(admin, { jobs: 'failed' })).toMatchObject({
    code: 'conflict',
  })
})

test('a failed job can be deleted, a waiting one cannot', async () => {
  const id = await addJob(failure)
  expect(await deleteJob.run(admin, { jobId: id })).toEqual({ deleted: true })
  const waiting = await addJob()
  expect(await deleteJob.run(admin, { jobId: waiting })).toMatchObject({ code: 'conflict' })
  expect(await db.database.$count(jobs)).toBe(1)
})

test('a scheduled job can be run now, once at a time', async () => {
  const nextAt = new Date('2099-01-01T03:00:00Z')
  const schedule = { name: 'example.nightly', schedule: '0 3 * * *', timeZone: 'UTC', nextAt }
  await db.database.insert(jobSchedules).values(schedule)
  expect(await listSchedules()).toMatchObject([schedule])
  const run = () => runScheduledJob.run(admin, { name: 'example.nightly' })
  expect(await run()).toEqual({ started: true })
  expect(await run()).toMatchObject({ code: 'conflict' })
  expect(await db.database.select().from(jobs)).toMatchObject([
    { name: 'example.nightly', key: 'schedule' },
  ])
  expect(await runScheduledJob.run(admin, { name: 'example.gone' })).toMatchObject({
    code: 'conflict',
    message: 'This schedule no longer exists.',
  })
})

async function addFailedMail(id: number, email = `user-${id}@example.com`) {
  const mail = { id, purpose: 'invitation', email, data: { role: 'viewer' }, attempts: 16 }
  const times = { createdAt: new Date(), failedAt: new Date(Date.UTC(2026, 0, 1, 0, id)) }
  await db.database.insert(failedMail).values({ ...mail, ...times, reason: 'ECONNREFUSED CONN' })
}

test('mail that was given up is listed, newest first, with that which fails again and again', async () => {
  for (let id = 1; id <= 25; id += 1) await addFailedMail(id)
  const waiting = { purpose: 'invitation', email: 'a@example.com' }
  await db.database.insert(mailQueue).values([
    { ...waiting, attempts: 1 },
    { ...waiting, attempts: 3, email: 'b@example.com' },
  ])
  const { mail, failed, retrying } = await findUnsentMail()
  expect({ failed, retrying, listed: mail.length }).toEqual({ failed: 25, retrying: 1, listed: 20 })
  expect(mail[0]).toMatchObject({ email: 'user-25@example.com', reason: 'ECONNREFUSED CONN' })
})

test('failed mail is queued again from its first attempt, and the audit log says so', async () => {
  await addFailedMail(1)
  await addFailedMail(2)
  // It was requested again since, and waits.
  const values = { purpose: 'invitation', email: 'user-2@example.com', data: { role: 'viewer' } }
  await db.database.insert(mailQueue).values(values)
  expect(await retryUnsentMail.run(admin, { mail: 'failed' })).toEqual({ retried: 2 })
  expect(await db.database.$count(failedMail)).toBe(0)
  expect(await db.database.select().from(mailQueue).orderBy(mailQueue.email)).toMatchObject([
    { email: 'user-1@example.com', attempts: 0, data: { role: 'viewer' } },
    { email: 'user-2@example.com', attempts: 0 },
  ])
  expect(await lastEvent(db.database)).toMatchObject({
    action: 'retry_mail',
    outcome: 'success',
    details: { count: 2 },
  })
  expect(await retryUnsentMail.run(admin, { mail: 'failed' })).toMatchObject({ code: 'conflict' })
})

test('failed mail can be deleted, waiting mail stays', async () => {
  await addFailedMail(1)
  await db.database.insert(mailQueue).values({ purpose: 'invitation', email: 'a@example.com' })
  expect(await deleteUnsentMail.run(admin, { mail: 'failed' })).toEqual({ deleted: 1 })
  expect(await deleteUnsentMail.run(admin, { mail: 'failed' })).toMatchObject({ code: 'conflict' })
  expect(await db.database.$count(mailQueue)).toBe(1)
})
