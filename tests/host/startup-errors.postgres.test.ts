import { expect, test } from 'vitest'
import { databaseUrl } from '../support/postgres-server'
import { launchServer } from '../support/server'

test('reports a missing database in one line', async () => {
  const server = launchServer({
    DATABASE_URL: databaseUrl('plinth_missing'),
    AUTH_SECRET: 'only-for-tests-'.repeat(3),
    LOG_LEVEL: 'silent',
  })
  expect(await server.exited).toBe(1)
  expect(server.output().trim()).toMatch(
    /^DATABASE_URL: the database is unavailable \(.*does not exist\)\.$/,
  )
})
