import { sql } from 'drizzle-orm'
import postgres, { type Sql } from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Connection } from '#db/client'
import { sqlState } from '#db/errors'
import { type FreshDatabase, freshDatabase, openFresh } from '#testing/database/database'
import { administer } from '#testing/database/postgres-server'

const role = `plinth_app_${process.pid}`

let fresh: FreshDatabase
let owner: Connection
let app: Sql

/** As docs/deploying.md describes it: the role of the app does not own the tables. */
beforeAll(async () => {
  fresh = await freshDatabase()
  owner = await openFresh(fresh)
  await administer(`create role ${role} login password 'x'`)
  await owner.database.execute(
    sql.raw(`grant select, insert, update, delete on all tables in schema public to ${role};`),
  )
  await owner.database.execute(sql.raw(`grant usage on all sequences in schema public to ${role}`))
  const url = new URL(fresh.settings.DATABASE_URL ?? '')
  url.username = role
  url.password = 'x'
  app = postgres(url.href, { max: 1, onnotice: () => {} })
})

afterAll(async () => {
  await app.end()
  await owner.close()
  await fresh.remove()
  await administer(`drop role ${role}`)
})

const stateOf = (statement: string) =>
  app.unsafe(statement).then(
    () => undefined,
    (error: unknown) => sqlState(error),
  )

const insufficientPrivilege = '42501'

test('the role of the app writes and reads events and maintains the partitions', async () => {
  await app`insert into audit_events (action, outcome) values ('sign_in', 'success')`
  expect(await app`select action from audit_events`).toMatchObject([{ action: 'sign_in' }])
  expect(await app`select * from maintain_audit_events(interval '30 days')`).toMatchObject([
    { added: [], dropped: [] },
  ])
})

test.each([
  'alter table audit_events detach partition audit_events_default',
  'drop table audit_events_before',
  'alter table audit_events disable trigger all',
  'drop trigger audit_events_append_only on audit_events_before',
  'select add_audit_partition()',
  `select attach_audit_partition('audit_events_before', 'default')`,
  'truncate audit_events_before',
])('it may not %s', async (statement) => {
  expect(await stateOf(statement)).toBe(insufficientPrivilege)
})

test('it may not change an event', async () => {
  expect(await stateOf('delete from audit_events_before')).toBe('PL002')
  expect(await stateOf(`update audit_events set action = 'x'`)).toBe('PL002')
})
