import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDemoAccounts, demoPassword } from '@/core/auth/demo-accounts'
import type { Connection } from '@/core/db/client'
import { users } from '@/core/db/schema'
import { freshDatabase, onPostgres, openPlace, type Place } from '../../support/database'
import { askDoctor as ask } from '../../support/doctor'
import { everythingIn } from '../../support/everything'
import { freePort } from '../../support/server'

vi.setConfig({ testTimeout: 60_000 })

let place: Place

beforeEach(async () => {
  place = await freshDatabase()
})
afterEach(() => place.remove())

const AUTH_SECRET = randomBytes(32).toString('base64')
const askDoctor = (settings: Record<string, string> = {}) =>
  ask({ settings: { ...place.settings, AUTH_SECRET, ...settings } })

async function change<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
  const connection = await openPlace(place)
  try {
    return await work(connection)
  } finally {
    await connection.close()
  }
}

test('a database that is as it should be is fine, and nothing in it is changed', async () => {
  await change(({ database }) =>
    database.insert(users).values({ email: 'ada@example.com', name: 'Ada', role: 'admin' }),
  )
  const before = await change(({ database }) => everythingIn(database))
  const { wrong, findings } = await askDoctor()
  expect(wrong('database')).toEqual([])
  expect(wrong('accounts')).toEqual([])
  expect(findings).toContainEqual({
    level: 'fine',
    check: 'accounts',
    what: 'There is one admin, and no account has a published password.',
  })
  expect(await change(({ database }) => everythingIn(database))).toBe(before)
})

test('nobody is an admin', async () => {
  const { wrong, findings } = await askDoctor()
  expect(wrong('accounts')).toEqual(['warning: Nobody is an admin.'])
  expect(findings.find(({ check }) => check === 'accounts')?.remedy).toContain('admin:create')
})

test('accounts with the published password are found, wherever they are', async () => {
  await change(({ database }) => createDemoAccounts(database))
  const local = await askDoctor()
  const level = onPostgres ? 'error' : 'warning'
  const everybody = 'viewer@example.com, editor@example.com, admin@example.com'
  expect(local.wrong('accounts')[0]).toMatch(new RegExp(`^${level}: .*${demoPassword}`))
  for (const email of everybody.split(', ')) expect(local.text).toContain(email)
  const open = await askDoctor({ HOST: '0.0.0.0' })
  expect(open.wrong('accounts')[0]).toMatch(/^error: /)
})

test('what is not applied yet is named, and accounts are left alone', async () => {
  await change(({ transact }) =>
    transact((run) => run(`delete from plinth_migrations where name = '0004_mail'`)),
  )
  const { wrong, findings } = await askDoctor()
  expect(wrong('database')).toEqual(['warning: Not applied yet: core/0004_mail.'])
  expect(findings.some(({ check }) => check === 'accounts')).toBe(false)
})

test('a migration that was changed afterwards is an error', async () => {
  await change(({ transact }) => transact((run) => run(`update plinth_migrations set hash = 'x'`)))
  const { code, wrong } = await askDoctor()
  expect(wrong('database')).toEqual([
    expect.stringMatching(/^error: Migration core\/0001_core was changed after/),
  ])
  expect(code).toBe(1)
})

test('an empty database is told, and stays empty', async () => {
  await place.remove()
  place = await freshDatabase('empty')
  const { wrong } = await askDoctor()
  expect(wrong('database')).toEqual(['warning: Nothing is in it yet.'])
  const tables = sql`select count(*)::int as count from information_schema.tables where table_schema = 'public'`
  const counted = await change(({ database }) => database.execute(tables))
  expect(JSON.stringify(counted)).toContain('"count":0')
})

test('a database that is not there is told, and none is made', async () => {
  if (onPostgres) {
    const DATABASE_URL = `postgres://somebody:hunter2@127.0.0.1:${await freePort()}/plinth`
    const { code, wrong, text } = await askDoctor({ DATABASE_URL })
    expect(wrong('database')).toEqual([
      expect.stringMatching(/^error: DATABASE_URL: the database cannot be used \(.*ECONNREFUSED/),
    ])
    expect(code).toBe(1)
    expect(text).not.toContain('hunter2')
  } else {
    const folder = mkdtempSync(join(tmpdir(), 'plinth-doctor-'))
    const { wrong, findings } = await askDoctor({ DATA_DIR: folder })
    expect(wrong('database')).toEqual([])
    expect(findings.find(({ check }) => check === 'database')?.what).toContain('There is none')
    expect(existsSync(join(folder, 'database'))).toBe(false)
    rmSync(folder, { recursive: true })
  }
})
