import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#testing/database/database'
import { type Server, startServer } from '#testing/server/server'

let fresh: FreshDatabase
let server: Server

beforeAll(async () => {
  fresh = await freshDatabase()
  server = await startServer({ ...fresh.settings, COMPRESSION: 'off' })
})

afterAll(async () => {
  await server.stop()
  await fresh.remove()
})

const get = (path: string) =>
  fetch(server.url + path, { headers: { 'accept-encoding': 'gzip, br' } })

test('leaves the compression of pages and their files to a proxy', async () => {
  const page = await get('/sign-in')
  const [, script = ''] = /<script[^>]* src="([^"]+)"/.exec(await page.text()) ?? []
  const file = await get(script)
  expect([page.status, file.status]).toEqual([200, 200])
  expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(1024)
  const encodings = [page, file].map(({ headers }) => headers.get('content-encoding'))
  expect(encodings).toEqual([null, null])
})
