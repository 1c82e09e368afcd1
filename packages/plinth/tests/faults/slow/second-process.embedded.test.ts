import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#testing/database/database'
import { freePort, launchServer } from '#testing/server/server'

let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase('empty')
})

afterAll(() => fresh.remove())

test('a second process exits with one line that names the first', {
  timeout: 60_000,
}, async () => {
  const first = launchServer({ ...fresh.settings, PORT: String(await freePort()) })
  await first.waitFor(/ready at /)
  const second = launchServer({ ...fresh.settings, PORT: String(await freePort()) })
  expect(await second.exited).toBe(1)
  const line = `The embedded database is in use by process ${first.pid}. Stop it, or set DATA_DIR to another folder.`
  expect(second.output().trim().split('\n').at(-1)).toBe(line)
  expect((await fetch(`${first.url}/api/health`)).status).toBe(200)
  expect(await first.stop()).toBe(0)
})
