import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FreshDatabase, freshDatabase, onPostgres, openFresh } from '@tests/support/database'
import { snapshotDatabase } from '@tests/support/database-rows'
import { freePort } from '@tests/support/server'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDemoAccounts, demoPassword } from '@/core/auth/accounts/users'
import type { Connection } from '@/core/db/client'
import { users } from '@/core/db/schema'
import { runDoctor as run } from '../../support/doctor'

vi.setConfig({ testTimeout: 60_000 })

let fresh: FreshDatabase

beforeEach(async () => {
  fresh = await freshDatabase()
})
afterEach(() => fresh.remove())

const AUTH_SECRET = randomBytes(32).toString('base64')
const runDoctor = (settings: Record<string, string> = {}) =>
  run({ settings: { ...fresh.settings, AUTH_SECRET, ...settings } })

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
    const { code, issues, text } = await runDoctor({ DATABASE_URL })
    expect(issues('database')).toEqual([
      expect.stringMatching(/^error: DATABASE_URL: the database is unavailable \(.*ECONNREFUSED/),
    ])
    expect(code).toBe(1)
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
  await withDatabase((connection) =>
    connection.transact((execute) =>
      execute(
        `insert into users (email, name, role) values ('admin@example.org', 'Ada', 'admin');
         create view door_lock_protected_users as select id as user_id from users`,
      ),
    ),
  )
  const problem =
    'One user has a second factor, but the module door-lock is not installed, so a password alone signs in.'
  const { code, issues, findings } = await runDoctor()
  expect(issues('accounts')).toEqual([`error: ${problem}`])
  expect(findings.find(({ message }) => message === problem)?.remedy).toBe(
    'Add it again: npx plinth add door-lock. Or accept this: ACCEPT_REMOVED_PROTECTION=door-lock',
  )
  expect(code).toBe(1)
  const accepted = await runDoctor({ ACCEPT_REMOVED_PROTECTION: 'door-lock' })
  expect(accepted.issues('accounts')).toEqual([`warning: ${problem}`])
})
