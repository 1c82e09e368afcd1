import { count, eq } from 'drizzle-orm'
import { auditEvents } from 'plinth/db/schema'
import { type FreshDatabase, freshDatabase, openFresh } from 'plinth/testing'
import { type Server, startServer } from 'plinth/testing/server'
import { afterAll, beforeAll, expect, test } from 'vitest'

let fresh: FreshDatabase
let server: Server

beforeAll(async () => {
  fresh = await freshDatabase()
  server = await startServer({ ...fresh.settings, LOG_LEVEL: 'warn' })
})

afterAll(async () => {
  await server?.stop()
  await fresh?.remove()
})

async function statusOf(path: string): Promise<number> {
  const response = await fetch(server.url + path, { redirect: 'manual' })
  await response.arrayBuffer()
  return response.status
}

test('audits the first 600 denials from one IP and keeps the status of all', {
  timeout: 60_000,
}, async () => {
  // The page is guarded by Next's bundle, the API by the server's: both count in one limiter.
  expect(await statusOf('/admin')).toBe(307)
  for (let turn = 0; turn < 62; turn += 1) {
    const statuses = Array.from({ length: 10 }, () => statusOf('/api/demo/admin/users'))
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([401]))
  }
  expect(await statusOf('/admin')).toBe(307)
  await server.stop()
  const logged = server.log().filter(({ msg }) => msg === 'denied')
  const connection = await openFresh(fresh)
  const [stored] = await connection.database
    .select({ denied: count() })
    .from(auditEvents)
    .where(eq(auditEvents.outcome, 'denied'))
  await connection.close()
  expect(stored).toEqual({ denied: 600 })
  expect(logged).toHaveLength(22)
})
