import { expect, test } from 'vitest'
import { freshDatabase, openFresh } from '#testing/database/database'
import { databaseUrl } from '#testing/database/postgres-server'
import { freePort, launchServer } from '#testing/server/server'

test('reports a missing database in one line', async () => {
  const server = launchServer({
    DATABASE_URL: databaseUrl('plinth_missing'),
    AUTH_SECRET: 'only-for-tests-'.repeat(3),
    LOG_LEVEL: 'silent',
  })
  expect(await server.exited).toBe(1)
  expect(server.output().trim()).toMatch(
    /^DATABASE_URL: the database does not exist \([^\n]+\)\. Create it, or correct its name\.$/,
  )
})

test('reports a database of another application in one line', async () => {
  const fresh = await freshDatabase('empty')
  const connection = await openFresh(fresh)
  await connection.query('create table users (id int)', [])
  await connection.close()
  const server = launchServer({ ...fresh.settings, LOG_LEVEL: 'silent' })
  expect(await server.exited).toBe(1)
  expect(server.output().trim()).toMatch(
    /^Migration core\/0001_initial failed: relation "users" already exists\. [^\n]+\.$/,
  )
  await fresh.remove()
})

test.each(['plinth_migrations', 'users', 'job_schedules'])(
  'waits while %s is locked, and says so in one line',
  async (table) => {
    const fresh = await freshDatabase()
    const connection = await openFresh(fresh)
    const PORT = String(await freePort())
    const server = await connection.transact(async (execute) => {
      await execute(`lock table ${table} in access exclusive mode`)
      const started = launchServer({ ...fresh.settings, PORT })
      await started.waitFor(/waiting for the table/)
      return started
    })
    await server.waitFor(/ready at /)
    const lines = server.log().map(({ msg }) => String(msg))
    expect(lines.filter((line) => line.startsWith('waiting'))).toEqual([
      `waiting for the table ${table}. DATABASE_URL: another transaction holds a lock (canceling statement due to lock timeout).`,
    ])
    expect(await server.stop()).toBe(0)
    await connection.close()
    await fresh.remove()
  },
)

test('waits for a table that is slow', async () => {
  const fresh = await freshDatabase()
  const connection = await openFresh(fresh)
  await connection.query(
    `create function take_a_second() returns trigger language plpgsql as
     $$ begin perform pg_sleep(1); return new; end $$`,
    [],
  )
  await connection.query(
    `create trigger slow before insert on job_schedules for each row
     when (new.name = 'core.sweep') execute function take_a_second()`,
    [],
  )
  const PORT = String(await freePort())
  const server = launchServer({ ...fresh.settings, PORT, DATABASE_TIMEOUT_MS: '600' })
  await server.waitFor(/ready at /)
  expect(server.output()).toMatch(
    /waiting for the table job_schedules\. DATABASE_URL: a statement took too long \(/,
  )
  expect(await server.stop()).toBe(0)
  await connection.close()
  await fresh.remove()
})
