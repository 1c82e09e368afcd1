import { expect, test } from 'vitest'
import { databaseUrl } from '../support/postgres-server'
import { launchServer } from '../support/server'

test('a database that does not exist stops the start in one line', async () => {
  const server = launchServer({
    DATABASE_URL: databaseUrl('plinth_there_is_no_such_database'),
    AUTH_SECRET: 'only-for-tests-'.repeat(3),
    LOG_LEVEL: 'silent',
  })
  expect(await server.ended).toBe(1)
  expect(server.output().trim()).toMatch(
    /^DATABASE_URL: the database cannot be used \(.*does not exist\)\.$/,
  )
})
