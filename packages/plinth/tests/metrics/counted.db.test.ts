import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { accountMail } from '#auth/accounts/account-mail'
import { createDemoAccounts } from '#auth/accounts/users'
import { findSession, startSessionCache, stopSessionCache } from '#auth/sessions/cache'
import { env } from '#config/env'
import { jobSchedules, jobs, mailQueue, sessions, staticBuilds, staticFiles } from '#db/schema'
import { job, jobsOfModules } from '#jobs/job'
import { storeSchedules } from '#jobs/schedules'
import { runDueJobs } from '#jobs/worker'
import { sendDueMail } from '#mail/worker'
import { enableMetrics, readMetrics } from '#metrics/metrics'
import { collectServer } from '#server/metrics/collect'
import { sweepJob } from '#server/start'
import { sha256 } from '#server/static-files/builds'
import { newClient } from '#testing/client'
import { onPostgres, testDatabase } from '#testing/database/database'

const db = testDatabase()

beforeAll(async () => {
  enableMetrics()
  await createDemoAccounts(db.database)
  await startSessionCache({ SESSION_CACHE: 'on' })
})

afterAll(() => stopSessionCache())

beforeEach(async () => {
  await db.database.delete(mailQueue)
  await db.database.delete(jobs)
})

const counted = (prefix: string) =>
  Object.fromEntries(
    Object.entries(readMetrics().counters).filter(([name]) => name.startsWith(prefix)),
  )

const signIns = (result: string) =>
  readMetrics().counters[`plinth_sign_ins_total{method="password",result="${result}"}`]

test('counts hits and misses of the session cache, and its entries', async () => {
  const client = newClient()
  const response = await client.signIn('viewer@example.com', undefined, { transport: 'bearer' })
  const { token } = await response.json()
  await expect
    .poll(async () => {
      await findSession(token)
      return (
        counted('plinth_session_cache')['plinth_session_cache_lookups_total{result="hit"}'] ?? 0
      )
    })
    .toBeGreaterThan(0)
  const misses =
    counted('plinth_session_cache')['plinth_session_cache_lookups_total{result="miss"}']
  expect(misses).toBeGreaterThan(0)
  const { gauges } = await collectServer({ tables: false })
  expect(gauges.plinth_session_cache_entries).toBe(1)
  const age = gauges.plinth_session_cache_lease_age_seconds
  if (onPostgres) expect(age).toBeGreaterThanOrEqual(0)
  else expect(age).toBeUndefined()
})

test('counts sign-ins by result, without a trace of the user', async () => {
  const client = newClient()
  await client.signIn('viewer@example.com')
  for (let attempt = 0; attempt < 11; attempt += 1) await client.signIn('viewer@example.com', 'no')
  expect([signIns('success'), signIns('failure'), signIns('rate_limited')]).toEqual([2, 10, 1])
  expect(counted('plinth_rate_limited_total')).toEqual({
    'plinth_rate_limited_total{limit="failures.device"}': 1,
  })
  expect(Object.keys(readMetrics().counters).join()).not.toMatch(/@|10\.0\.|[0-9a-f]{8}-/)
})

test('counts mail and jobs by state, and how long the oldest waits', async () => {
  const mail = { purpose: 'sign_up', email: 'a@example.com' }
  await db.database.insert(mailQueue).values([
    { ...mail, createdAt: sql`now() - interval '1 hour'` },
    { ...mail, email: 'b@example.com', attempts: 2 },
    { ...mail, email: 'c@example.com', attempts: 1 },
  ])
  const later = sql`now() + interval '1 hour'`
  const earlier = sql`now() - interval '1 hour'`
  await db.database.insert(jobs).values([
    { name: 'core.waits', dueAt: earlier },
    { name: 'core.lost', dueAt: sql`now()`, startedAt: earlier },
    { name: 'core.runs', dueAt: later, startedAt: sql`now()` },
    { name: 'core.later', dueAt: later },
    { name: 'core.failed', failedAt: earlier, dueAt: earlier },
  ])
  const { gauges } = await collectServer({ tables: true })
  expect(gauges).toMatchObject({
    plinth_database_up: 1,
    'plinth_mail_queue_messages{state="waiting"}': 1,
    'plinth_mail_queue_messages{state="retrying"}': 2,
    'plinth_jobs{state="waiting"}': 2,
    'plinth_jobs{state="running"}': 1,
    'plinth_jobs{state="scheduled"}': 1,
    'plinth_jobs{state="failed"}': 1,
  })
  expect(gauges.plinth_mail_queue_oldest_age_seconds).toBeCloseTo(3600, -2)
  expect(gauges.plinth_jobs_overdue_seconds).toBeCloseTo(3600, -2)
  await db.database.delete(jobs)
  const again = await collectServer({ tables: true })
  expect(again.gauges['plinth_jobs{state="waiting"}'], 'cached for a few seconds').toBe(2)
})

test('counts deliveries of mail by result', async () => {
  Object.assign(env(), { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'a@example.com' })
  await db.database.insert(mailQueue).values([
    { purpose: 'sign_up', email: 'a@example.com' },
    { purpose: 'sign_up', email: 'b@example.com', attempts: 15 },
    { purpose: 'gone.mail', email: 'a@example.com', createdAt: sql`now() - interval '1 day'` },
  ])
  await sendDueMail(accountMail)
  expect(counted('plinth_mail_deliveries_total')).toEqual({
    'plinth_mail_deliveries_total{result="sent"}': 0,
    'plinth_mail_deliveries_total{result="retry"}': 1,
    'plinth_mail_deliveries_total{result="given_up"}': 1,
    'plinth_mail_deliveries_total{result="dropped"}': 1,
  })
})

test('counts runs of jobs, and the rows that the sweep deletes by table or module', async () => {
  const failing = job({ name: 'core.fails', schedule: '0 0 1 1 *' }, () => {
    throw new Error('failed')
  })
  // A module may sweep several tables, so it may return more than it was asked for.
  const batches = [1200, 500, 3]
  const sweep = sweepJob([{ id: 'notes', sweep: async () => batches.shift() ?? 0 }])
  const known = jobsOfModules([{ id: 'core', jobs: [failing, sweep] }])
  await db.database.update(sessions).set({ expiresAt: sql`now() - interval '1 day'` })
  const expired = await db.database.$count(sessions)
  expect(expired).toBeGreaterThan(0)
  await storeSchedules(known)
  await addRemovedSchedule()
  await addUnusedBuild()
  await db.database.insert(jobs).values([{ name: 'core.fails' }, { name: 'core.sweep' }])
  await runDueJobs(known)
  expect(counted('plinth_job_runs_total')).toEqual({
    'plinth_job_runs_total{name="core.fails",result="retry"}': 1,
    'plinth_job_runs_total{name="core.sweep",result="success"}': 1,
  })
  expect(counted('plinth_swept_rows_total')).toMatchObject({
    'plinth_swept_rows_total{table="sessions"}': expired,
    'plinth_swept_rows_total{table="job_schedules"}': 1,
    'plinth_swept_rows_total{table="static_builds"}': 1,
    'plinth_swept_rows_total{table="static_files"}': 2,
    'plinth_swept_rows_total{table="notes"}': 1703,
  })
  expect(batches).toEqual([])
})

async function addRemovedSchedule(): Promise<void> {
  const nextAt = sql`now() - interval '2 days'`
  const schedule = { name: 'gone.nightly', schedule: '0 3 * * *', timeZone: 'UTC', nextAt }
  await db.database.insert(jobSchedules).values(schedule)
}

async function addUnusedBuild(): Promise<void> {
  const contents = ['one', 'two'].map((text) => Buffer.from(text))
  const stored = contents.map((content) => ({ content, hash: sha256(content) }))
  const files = Object.fromEntries(stored.map(({ hash }, index) => [`${index}.js`, hash]))
  await db.database
    .insert(staticFiles)
    .values(stored.map(({ content, hash }) => ({ content, hash: Buffer.from(hash, 'hex') })))
  const usedAt = sql`now() - interval '8 days'`
  await db.database.insert(staticBuilds).values({ id: 'old', files, usedAt })
}

test('tells how busy the connections are', async () => {
  const pool = onPostgres ? 'requests' : 'embedded'
  const busy = `plinth_database_pool_connections{pool="${pool}",state="busy"}`
  const waiting = `plinth_database_pool_waiting{pool="${pool}"}`
  const before = (await collectServer({ tables: false })).gauges
  expect([before[busy], before[waiting]]).toEqual([0, 0])
  const size = before[`plinth_database_pool_size{pool="${pool}"}`] ?? 0
  let finish = () => {}
  const held = new Promise<void>((resolve) => (finish = resolve))
  const transactions = Array.from({ length: size + 2 }, () => db.database.transaction(() => held))
  await expect
    .poll(async () => {
      const { gauges } = await collectServer({ tables: false })
      return [gauges[busy], gauges[waiting]]
    })
    .toEqual([size, 2])
  finish()
  await Promise.all(transactions)
})

test('measures queries and jobs', async () => {
  const timesOf = (series: string) =>
    readMetrics().histograms[series]?.buckets.reduce((sum, number) => sum + number) ?? 0
  const pool = onPostgres ? 'requests' : 'embedded'
  const queries = `plinth_query_duration_seconds{pool="${pool}"}`
  const before = timesOf(queries)
  await db.database.execute(sql`select 1`)
  await db.database.transaction((tx) => tx.execute(sql`select 2`))
  expect(timesOf(queries)).toBeGreaterThanOrEqual(before + 2)
  const known = jobsOfModules([
    { id: 'core', jobs: [job({ name: 'core.timed', schedule: '0 0 1 1 *' }, async () => {})] },
  ])
  await db.database.insert(jobs).values({ name: 'core.timed' })
  await runDueJobs(known)
  expect(timesOf('plinth_job_duration_seconds{name="core.timed"}')).toBe(1)
})

test('tells the free disk and the age of the last backup of the embedded database', async () => {
  const { gauges } = await collectServer({ tables: true })
  const { plinth_data_disk_free_bytes: free, plinth_data_disk_size_bytes: size } = gauges
  expect(gauges.plinth_database_disk_full).toBe(0)
  if (onPostgres) return expect([free, size]).toEqual([undefined, undefined])
  expect(free).toBeGreaterThan(0)
  expect(size).toBeGreaterThanOrEqual(free ?? 0)
  expect(gauges.plinth_backup_age_seconds).toBeLessThan(86_400)
})
