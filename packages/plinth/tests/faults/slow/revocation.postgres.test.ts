import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newToken } from '#auth/sessions/cookie'
import type { Connection } from '#db/client'
import { type FreshDatabase, freshDatabase, openFresh } from '#testing/database/database'
import { repetitions } from '#testing/nightly'
import { type Server, startServer } from '#testing/server/server'
import { isAccepted, startSessionLoad, storeSessions } from '../../support/session-load'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

const email = 'user@example.com'
let fresh: FreshDatabase
let connection: Connection
let first: Server
let second: Server

beforeAll(async () => {
  fresh = await freshDatabase()
  connection = await openFresh(fresh)
  await connection.database.execute(sql`insert into users (email, name) values (${email}, 'User')`)
  ;[first, second] = await Promise.all([startServer(fresh.settings), startServer(fresh.settings)])
})

afterAll(async () => {
  await Promise.all([first?.stop(), second?.stop()])
  await connection?.close()
  await fresh?.remove()
})

async function signOut(server: Server, token: string): Promise<number> {
  const response = await fetch(`${server.url}/api/auth/signout`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"redirect":false}',
  })
  expect(response.status).toBe(200)
  return performance.now()
}

/** The scans of the table, which the database reports with a delay. */
async function countSessionScans(): Promise<number> {
  const { rows } = await connection.query(
    `select (coalesce(idx_scan, 0) + coalesce(seq_scan, 0))::float8 as scans
     from pg_stat_user_tables where relname = 'sessions'`,
    [],
  )
  return (rows as readonly { scans: number }[])[0]?.scans ?? 0
}

test('a sign-out takes effect immediately on its server and within 100 ms on another', async () => {
  let late = 0
  let latest = 0
  for (let round = 0; round < repetitions(20); round += 1) {
    const tokens = await storeSessions(connection.database, email, 50)
    const load = startSessionLoad(second.url, tokens)
    await vi.waitFor(() => expect(load.acceptedAt.size).toBe(50), { timeout: 30_000 })
    await Promise.all(tokens.map((token) => isAccepted(first.url, token)))

    const revokedAt = new Map<string, number>()
    for (const token of tokens) {
      revokedAt.set(token, await signOut(first, token))
      expect(await isAccepted(first.url, token)).toBe(false)
    }
    await pause(150)
    await load.stop()
    for (const [token, at] of revokedAt) {
      const after = (load.acceptedAt.get(token) ?? 0) - at
      latest = Math.max(latest, after)
      if (after > 100) late += 1
    }
  }
  expect({ late, latest }).toEqual({ late: 0, latest: expect.any(Number) })
})

test('repeated requests are served from the cache', async () => {
  const [token = ''] = await storeSessions(connection.database, email, 1)
  await vi.waitFor(async () => expect(await isAccepted(second.url, token)).toBe(true))
  const before = await afterStatsFlush(countSessionScans)
  for (let count = 0; count < 400; count += 1) await isAccepted(second.url, token)
  // Some requests query the database when a poll was late; most do not.
  expect((await afterStatsFlush(countSessionScans)) - before).toBeLessThan(200)
})

/** A connection reports its statistics after a query, at most once a second. */
async function afterStatsFlush(read: () => Promise<number>): Promise<number> {
  await pause(1_100)
  await Promise.all([first, second].map(({ url }) => isAccepted(url, newToken())))
  await pause(400)
  return read()
}

test.each([
  ['a new role', sql`update users set role = 'editor' where email = ${email}`, '"role":"editor"'],
  [
    'a new name',
    sql`update users set name = 'New name' where email = ${email}`,
    '"name":"New name"',
  ],
])(
  '%s, written directly to the database, takes effect within 100 ms',
  async (_, statement, expected) => {
    const [token = ''] = await storeSessions(connection.database, email, 1)
    const readSession = async () => {
      const headers = { authorization: `Bearer ${token}` }
      return (await fetch(`${second.url}/api/auth/session`, { headers })).text()
    }
    await vi.waitFor(async () => expect(await readSession()).toContain(email))
    for (let count = 0; count < 20; count += 1) await readSession()
    await connection.database.execute(statement)
    await pause(100)
    expect(await readSession()).toContain(expected)
  },
)

test('rejects revoked sessions after the connection that reads the change log is terminated', async () => {
  for (let round = 0; round < repetitions(10); round += 1) {
    const tokens = await storeSessions(connection.database, email, 10)
    const load = startSessionLoad(second.url, tokens)
    await vi.waitFor(() => expect(load.acceptedAt.size).toBe(10), { timeout: 30_000 })
    await vi.waitFor(async () => {
      const { rows } = await connection.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where query like '%from change_log%'
           and datname = current_database() and pid <> pg_backend_pid()`,
        [],
      )
      expect(rows.length).toBeGreaterThan(0)
    })
    const revokedAt = new Map<string, number>()
    for (const token of tokens) {
      // The connection had lookups too, and those that were sent on it are 503.
      revokedAt.set(token, await vi.waitFor(() => signOut(first, token)))
    }
    await pause(150)
    await load.stop()
    for (const [token, at] of revokedAt) {
      expect((load.acceptedAt.get(token) ?? 0) - at).toBeLessThan(100)
    }
  }
})

test('rejects all sessions after a mass delete and a truncate', async () => {
  for (const statement of [sql`delete from sessions`, sql`truncate sessions cascade`]) {
    const tokens = await storeSessions(connection.database, email, 300)
    for (const token of tokens.slice(0, 50)) expect(await isAccepted(second.url, token)).toBe(true)
    await connection.database.execute(statement)
    await pause(100)
    for (const token of tokens.slice(0, 50)) expect(await isAccepted(second.url, token)).toBe(false)
  }
})
