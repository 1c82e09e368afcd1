import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDemoAccounts } from '#auth/accounts/users'
import type { Connection } from '#db/client'
import { users } from '#db/schema'
import {
  type FreshDatabase,
  freshDatabase,
  onPostgres,
  openFresh,
} from '#testing/database/database'
import { snapshotDatabase } from '#testing/database/database-rows'
import { freePort } from '#testing/server/server'
import { demoPassword } from '#universal/users'
import { runDoctorChecks } from '../support/doctor'

let fresh: FreshDatabase

beforeEach(async () => {
  fresh = await freshDatabase()
})
afterEach(() => fresh.remove())

const AUTH_SECRET = randomBytes(32).toString('base64')
const runDoctor = (settings: Record<string, string> = {}) =>
  runDoctorChecks({ ...fresh.settings, AUTH_SECRET, ...settings })

const execute = (statements: string) =>
  withDatabase((connection) => connection.transact((execute) => execute(statements)))

async function withDatabase<Result>(
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const connection = await openFresh(fresh)
  try {
    return await work(connection)
  } finally {
    await connection.close()
  }
}

test('reports a healthy database as ok and changes nothing', async () => {
  await withDatabase(({ database }) =>
    database.insert(users).values({ email: 'admin@example.com', name: 'Admin', role: 'admin' }),
  )
  const before = await withDatabase(({ database }) => snapshotDatabase(database))
  const { issues, findings } = await runDoctor()
  expect(issues('database')).toEqual([])
  expect(issues('accounts')).toEqual([])
  expect(findings).toContainEqual({
    level: 'ok',
    check: 'accounts',
    message: 'There is one admin. No account has a published password.',
  })
  expect(await withDatabase(({ database }) => snapshotDatabase(database))).toBe(before)
})

test('reports accounts with the published password', async () => {
  await withDatabase(({ database }) => createDemoAccounts(database))
  const local = await runDoctor()
  const level = onPostgres ? 'error' : 'warning'
  const emails = 'viewer@example.com, editor@example.com, admin@example.com'
  expect(local.issues('accounts')[0]).toMatch(new RegExp(`^${level}: .*${demoPassword}`))
  for (const email of emails.split(', ')) expect(local.text).toContain(email)
  const exposed = await runDoctor({ HOST: '0.0.0.0' })
  expect(exposed.issues('accounts')[0]).toMatch(/^error: /)
})

test('reports an empty database and leaves it empty', async () => {
  await fresh.remove()
  fresh = await freshDatabase('empty')
  const { issues } = await runDoctor()
  expect(issues('database')).toEqual(['warning: It is empty.'])
  const tables = sql`select count(*)::int as count from information_schema.tables where table_schema = 'public'`
  const counted = await withDatabase(({ database }) => database.execute(tables))
  expect(JSON.stringify(counted)).toContain('"count":0')
})

test('reports a missing database and creates none', async () => {
  if (onPostgres) {
    const DATABASE_URL = `postgres://user:hunter2@127.0.0.1:${await freePort()}/plinth`
    const { issues, text } = await runDoctor({ DATABASE_URL })
    expect(issues('database')).toEqual([
      expect.stringMatching(/^error: DATABASE_URL: the database is unavailable \(.*ECONNREFUSED/),
    ])
    expect(text).not.toContain('hunter2')
  } else {
    const folder = mkdtempSync(join(tmpdir(), 'plinth-doctor-'))
    const { issues, findings } = await runDoctor({ DATA_DIR: folder })
    expect(issues('database')).toEqual([])
    expect(findings.find(({ check }) => check === 'database')?.message).toContain(
      'has no database yet',
    )
    expect(existsSync(join(folder, 'database'))).toBe(false)
    rmSync(folder, { recursive: true })
  }
})

test('reports users whom a removed module protected, until that is accepted', async () => {
  await execute(
    `insert into users (email, name, role) values ('admin@example.org', 'Ada', 'admin');
     create view door_lock_protected_users as select id as user_id from users`,
  )
  const problem =
    'One user has a second factor, but the module door-lock is not installed, so a password alone signs in.'
  const { issues, findings } = await runDoctor()
  expect(issues('accounts')).toEqual([`error: ${problem}`])
  expect(findings.find(({ message }) => message === problem)?.remedy).toBe(
    'Add it again: npx plinth add door-lock. Or accept this: ACCEPT_REMOVED_PROTECTION=door-lock',
  )
  const accepted = await runDoctor({ ACCEPT_REMOVED_PROTECTION: 'door-lock' })
  expect(accepted.issues('accounts')).toEqual([`warning: ${problem}`])
})

test('reports background work that has failed or is late', async () => {
  const { issues, findings } = await runDoctor()
  expect([...issues('jobs'), ...issues('mail')]).toEqual([])
  expect(findings).toContainEqual({
    level: 'ok',
    check: 'jobs',
    message: 'No job has failed or is late.',
  })
  await execute(
    `insert into jobs (name, failed_at) values ('a.broken', now()), ('a.broken', now());
     insert into jobs (name, due_at) values ('a.late', now() - interval '150 minutes');
     insert into mail_queue (purpose, email, created_at)
       values ('reset', 'ada@example.org', now() - interval '61 minutes');
     do $$
     declare name text;
     begin
       for name in select partitions.name from audit_partitions partitions
         where ends > now() + interval '1 month'
       loop execute format('drop table %I', name); end loop;
     end $$`,
  )
  const late = await runDoctor()
  expect(late.issues('jobs')).toEqual([
    'warning: 2 jobs have failed.',
    'warning: The oldest job has been due for 2 hours.',
    'warning: The audit log has no partition for the next month.',
  ])
  expect(late.issues('mail')).toEqual(['warning: The oldest mail has been queued for an hour.'])
})

test('reports a late schedule, but not of a stopped server with the embedded database', async () => {
  await execute(
    `insert into job_schedules (name, schedule, time_zone, next_at) values
       ('core.audit_log', '30 2 * * *', 'UTC', now() - interval '50 hours'),
       ('core.sweep', '*/10 * * * *', 'UTC', now() + interval '10 minutes')`,
  )
  const { issues } = await runDoctor()
  const late = ['warning: The oldest job has been due for 50 hours.']
  expect(issues('jobs')).toEqual(onPostgres ? late : [])
})

if (onPostgres) {
  test('compares the connections of an instance with those of the server', async () => {
    const { issues, findings } = await runDoctor({ DATABASE_POOL_SIZE: '4' })
    expect(issues('database')).toEqual([])
    expect(findings.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^One instance opens up to 7 of the \d+ connections of the server\.$/),
    )
    const many = await runDoctor({ DATABASE_POOL_SIZE: '97', WEB_CONCURRENCY: '8' })
    expect(many.issues('database')).toEqual([
      expect.stringMatching(/^warning: One instance opens up to 800 of the \d+ connections/),
    ])
  })
} else {
  test('warns about missing and old backups where others use the app', async () => {
    const data = fresh.settings.DATA_DIR ?? ''
    const runPublished = (settings = {}) =>
      runDoctor({ AUTH_URL: 'https://app.example.invalid', ...settings })
    const local = await runDoctor()
    expect(local.issues('backups')).toEqual([])
    const none = await runPublished()
    expect(none.issues('backups')).toEqual([`warning: ${data}/backups has none.`])

    const backup = join(data, 'backups', 'backup-1.tar.gz')
    mkdirSync(join(data, 'backups'))
    writeFileSync(backup, '')
    const recent = await runPublished()
    expect(recent.issues('backups')).toEqual([])
    const threeDaysAgo = Date.now() / 1000 - 3 * 24 * 60 * 60 - 60
    utimesSync(backup, threeDaysAgo, threeDaysAgo)
    const old = await runPublished()
    expect(old.issues('backups')).toEqual(['warning: The last one is 3 days old.'])

    const services = {
      REDIS_URL: 'redis://127.0.0.1:9',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    }
    const done = new Set((await runPublished(services)).findings.map(({ check }) => check))
    expect(checksOfChecklist().filter((check) => !done.has(check))).toEqual([])
  })
}

/** The names in parentheses after the items that the doctor checks. */
function checksOfChecklist(): string[] {
  const [, section = ''] = readFileSync('packages/plinth/docs/deploying.md', 'utf8').split(
    '## Checklist\n',
  )
  const [items = ''] = section.split('No program can check')
  const names = [...items.matchAll(/\((`\w+`(?:, `\w+`)*)\)\.$/gm)].map(([, list = '']) => list)
  expect(names.length).toBeGreaterThan(5)
  return names.flatMap((list) => list.replaceAll('`', '').split(', '))
}
