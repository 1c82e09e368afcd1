import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase, openFresh } from '#testing/database/database'
import { runDoctor as run } from '../../support/doctor'

let fresh: FreshDatabase

beforeEach(async () => {
  fresh = await freshDatabase()
})
afterEach(() => fresh.remove())

const AUTH_SECRET = randomBytes(32).toString('base64')
const runDoctor = () => run({ settings: { ...fresh.settings, AUTH_SECRET } })

async function execute(statement: string): Promise<void> {
  const connection = await openFresh(fresh)
  await connection.transact((execute) => execute(statement))
  await connection.close()
}

test('reports a missing admin', async () => {
  const { issues, findings } = await runDoctor()
  expect(issues('accounts')).toEqual(['warning: There is no admin.'])
  expect(findings.find(({ check }) => check === 'accounts')?.remedy).toContain('admin:create')
})

test('names pending migrations and does not check accounts', async () => {
  await execute(`delete from plinth_migrations where owner = 'admin'`)
  const { issues, findings } = await runDoctor()
  const pending = 'admin/0001_initial, admin/0002_invitation_order'
  expect(issues('database')).toEqual([`warning: Pending migrations: ${pending}.`])
  expect(findings.some(({ check }) => check === 'accounts')).toBe(false)
})

test('reports a changed migration', async () => {
  await execute(`update plinth_migrations set hash = 'x'`)
  const { code, issues } = await runDoctor()
  expect(issues('database')).toEqual([
    expect.stringMatching(/^error: Migration core\/0001_initial was changed after/),
  ])
  expect(code).toBe(1)
})
