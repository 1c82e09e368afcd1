import { sql } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { archiveUser } from '#auth/accounts/deleted-accounts/archive'
import { type Database, rowsOf } from '#db/client'
import { sqlState } from '#db/errors'
import { testDatabase } from '#testing/database/database'
import { createFixtures, rowsOfTables } from '../../support/archived-fixtures'

const db = testDatabase()

const run = (statement: string, on: Database = db.database) => on.execute(sql.raw(statement))

const waiting = async () =>
  rowsOf<{ count: number }>(
    await run(`select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`),
  )[0]?.count

test('a row that is added while its owner is archived is refused, not lost', async () => {
  await createFixtures(db.database)
  const id = crypto.randomUUID()
  await run(`insert into users (id, email, name) values ('${id}', 'a@example.com', 'A')`)
  await run(`insert into fixture_projects (owner_id, "Name, quoted") values ('${id}', 'P')`)
  let archived: Promise<boolean> | undefined
  let added: Promise<unknown> | undefined
  let outcome: unknown
  // Another transaction has this table, which the archive reads after it has stored the project.
  await db.database.transaction(async (holder) => {
    await run('lock table fixture_pages in access exclusive mode', holder)
    const eraseAt = new Date(Date.now() + 60 * 60 * 1000)
    archived = db.database.transaction((tx) => archiveUser(tx, id, eraseAt))
    await vi.waitFor(async () => expect(await waiting()).toBe(1), { timeout: 20_000 })
    added = run(
      `insert into fixture_tasks (project_id, number, title) select id, 1, 'Added' from fixture_projects`,
    ).then(
      () => (outcome = 'added'),
      (error) => (outcome = sqlState(error)),
    )
    await vi.waitFor(async () => expect(outcome ?? (await waiting())).not.toBe(1), {
      timeout: 20_000,
    })
  })
  expect(await archived).toBe(true)
  await added
  expect(outcome).toBe('23503')
  expect(await rowsOfTables(db.database, ['fixture_projects', 'fixture_tasks'])).toEqual({
    fixture_projects: [],
    fixture_tasks: [],
  })
})
