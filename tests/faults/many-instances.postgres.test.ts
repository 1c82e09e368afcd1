import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase, type Place } from '../support/database'
import { freePort, launchServer } from '../support/server'

let place: Place

beforeAll(async () => {
  place = await freshDatabase('empty')
})

afterAll(() => place.remove())

test('ten instances start at once on an empty database', { timeout: 180_000 }, async () => {
  const ports = await Promise.all(Array.from({ length: 10 }, freePort))
  const servers = ports.map((port) => launchServer({ ...place.settings, PORT: String(port) }))
  await Promise.all(servers.map((server) => server.waitFor(/ready at /)))
  const statuses = await Promise.all(
    servers.map(async ({ url }) => (await fetch(`${url}/api/health`)).status),
  )
  expect(statuses).toEqual(Array(10).fill(200))
  const migrations = servers.flatMap(
    (server) => server.output().match(/migrated core\/0001_core/g) ?? [],
  )
  expect(migrations).toHaveLength(1)
  expect(await accounts(place)).toBe(0)
  expect(await Promise.all(servers.map((server) => server.stop()))).toEqual(Array(10).fill(0))
})

async function accounts({ settings }: Place): Promise<number> {
  const client = postgres(settings.DATABASE_URL ?? '', { max: 1 })
  const [row] = await client`select count(*)::int as count from users`
  await client.end()
  return row?.count
}
