import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase, type Place } from '../support/database'
import { freePort, launchServer } from '../support/server'

let place: Place

beforeAll(async () => {
  place = await freshDatabase('empty')
})

afterAll(() => place.remove())

test('a second process is refused in one line that names the first', {
  timeout: 60_000,
}, async () => {
  const first = launchServer({ ...place.settings, PORT: String(await freePort()) })
  await first.waitFor(/ready at /)
  const second = launchServer({ ...place.settings, PORT: String(await freePort()) })
  expect(await second.ended).toBe(1)
  const line = `The embedded database is in use by process ${first.pid}. Stop it, or give this one a DATA_DIR of its own.`
  expect(second.output().trim().split('\n').at(-1)).toBe(line)
  expect((await fetch(`${first.url}/api/health`)).status).toBe(200)
  expect(await first.stop()).toBe(0)
})
