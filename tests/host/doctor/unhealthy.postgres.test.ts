import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { freshDatabase } from '../../support/database'
import { askDoctor } from '../../support/doctor'
import { startServer } from '../../support/server'

test('a server whose database is away says so itself', async () => {
  const place = await freshDatabase()
  const AUTH_SECRET = randomBytes(32).toString('base64')
  const server = await startServer({ ...place.settings, AUTH_SECRET })
  await place.remove()
  const settings = { ...place.settings, AUTH_SECRET, AUTH_URL: server.url }
  const { code, wrong } = await askDoctor({ settings })
  await server.stop()
  expect(wrong('running')).toEqual([
    `error: ${server.url} runs, but its database does not answer it.`,
  ])
  expect(wrong('database')).toEqual([expect.stringMatching(/^error: .*does not exist\)\.$/)])
  expect(code).toBe(1)
})
