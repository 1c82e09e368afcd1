import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#testing/database/database'
import { freePort, launchServer } from '#testing/server/server'

let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase('empty')
})

afterAll(() => fresh.remove())

test('ten instances can start concurrently on an empty database', {
  timeout: 180_000,
}, async () => {
  const ports = await Promise.all(Array.from({ length: 10 }, freePort))
  const servers = ports.map((port) => launchServer({ ...fresh.settings, PORT: String(port) }))
  await Promise.all(servers.map((server) => server.waitFor(/ready at /)))
  for (const { url } of servers) {
    await expect.poll(async () => (await fetch(`${url}/api/health`)).status).toBe(200)
  }
  const migrations = servers.flatMap(
    (server) => server.output().match(/applied migration core\/0001_initial/g) ?? [],
  )
  expect(migrations).toHaveLength(1)
  expect(await countUsers(fresh)).toBe(0)
  expect(await Promise.all(servers.map((server) => server.stop()))).toEqual(Array(10).fill(0))
})

async function countUsers({ settings }: FreshDatabase): Promise<number> {
  const client = postgres(settings.DATABASE_URL ?? '', { max: 1 })
  const [row] = await client`select count(*)::int as count from users`
  await client.end()
  return row?.count
}
