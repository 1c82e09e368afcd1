import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { freshDatabase } from '#testing/database/database'
import { startServer } from '#testing/server/server'
import { runDoctor } from '../../support/doctor'

test('reports a server whose database is unavailable', async () => {
  const fresh = await freshDatabase()
  const AUTH_SECRET = randomBytes(32).toString('base64')
  const server = await startServer({ ...fresh.settings, AUTH_SECRET })
  await fresh.remove()
  const settings = { ...fresh.settings, AUTH_SECRET, AUTH_URL: server.url }
  const { code, issues } = await runDoctor({ settings })
  await server.stop()
  expect(issues('running')).toEqual([
    `error: ${server.url} responds, but its database is unavailable.`,
  ])
  expect(issues('database')).toEqual([expect.stringMatching(/^error: .*does not exist\)\.$/)])
  expect(code).toBe(1)
})
