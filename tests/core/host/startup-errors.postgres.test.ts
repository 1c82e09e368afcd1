import { freshDatabase, openFresh } from '@tests/support/database'
import { databaseUrl } from '@tests/support/postgres-server'
import { launchServer } from '@tests/support/server'
import { expect, test } from 'vitest'

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
