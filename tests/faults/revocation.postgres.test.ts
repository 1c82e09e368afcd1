import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newToken } from '@/core/auth/token'
import type { Connection } from '@/core/db/client'
import { freshDatabase, openPlace, type Place } from '../support/database'
import { hammer, isHonoured, storeSessions } from '../support/hammer'
import { type Server, startServer } from '../support/server'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

const email = 'ada@example.com'
let place: Place
let connection: Connection
let here: Server
let there: Server

beforeAll(async () => {
  place = await freshDatabase()
  connection = await openPlace(place)
  await connection.database.execute(sql`insert into users (email, name) values (${email}, 'Ada')`)
  ;[here, there] = await Promise.all([startServer(place.settings), startServer(place.settings)])
})

afterAll(async () => {
  await Promise.all([here?.stop(), there?.stop()])
  await connection?.close()
  await place?.remove()
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

/** How often the table was looked into; told by the database a moment later. */
async function looksIntoSessions(): Promise<number> {
  const { rows } = await connection.query(
    `select (coalesce(idx_scan, 0) + coalesce(seq_scan, 0))::float8 as looks
     from pg_stat_user_tables where relname = 'sessions'`,
    [],
  )
  return (rows as readonly { looks: number }[])[0]?.looks ?? 0
}

test('a thousand sign-outs: at once here, and within a tenth of a second elsewhere', async () => {
  let late = 0
  let latest = 0
  for (let round = 0; round < 20; round += 1) {
    const tokens = await storeSessions(connection.database, email, 50)
    const asking = hammer(there.url, tokens)
    await vi.waitFor(() => expect(asking.honoured.size).toBe(50), { timeout: 30_000 })
    await Promise.all(tokens.map((token) => isHonoured(here.url, token)))

    const ended = new Map<string, number>()
    for (const token of tokens) {
      ended.set(token, await signOut(here, token))
      expect(await isHonoured(here.url, token)).toBe(false)
    }
    await pause(150)
    await asking.stop()
    for (const [token, at] of ended) {
      const after = (asking.honoured.get(token) ?? 0) - at
      latest = Math.max(latest, after)
      if (after > 100) late += 1
    }
  }
  expect({ late, latest }).toEqual({ late: 0, latest: expect.any(Number) })
})

test('who asks again is answered from memory', async () => {
  const [token = ''] = await storeSessions(connection.database, email, 1)
  await vi.waitFor(async () => expect(await isHonoured(there.url, token)).toBe(true))
  const before = await settled(looksIntoSessions)
  for (let count = 0; count < 400; count += 1) await isHonoured(there.url, token)
  // Some are asked of the database, when the line was silent for a moment; most are not.
  expect((await settled(looksIntoSessions)) - before).toBeLessThan(200)
})

/** A connection hands over what it counted after a query, if the last time was a second ago. */
async function settled(read: () => Promise<number>): Promise<number> {
  await pause(1_100)
  await Promise.all([here, there].map(({ url }) => isHonoured(url, newToken())))
  await pause(400)
  return read()
}

test.each([
  ['a new role', sql`update users set role = 'editor' where email = ${email}`, '"role":"editor"'],
  ['a new name', sql`update users set name = 'Ada L.' where email = ${email}`, '"name":"Ada L."'],
])(
  '%s, written past the application, is seen within a tenth of a second',
  async (_, change, seen) => {
    const [token = ''] = await storeSessions(connection.database, email, 1)
    const ask = async () => {
      const headers = { authorization: `Bearer ${token}` }
      return (await fetch(`${there.url}/api/auth/session`, { headers })).text()
    }
    await vi.waitFor(async () => expect(await ask()).toContain(email))
    for (let count = 0; count < 20; count += 1) await ask()
    await connection.database.execute(change)
    await pause(100)
    expect(await ask()).toContain(seen)
  },
)

test('the line is cut while a session ends: never honoured later than that', async () => {
  for (let round = 0; round < 10; round += 1) {
    const tokens = await storeSessions(connection.database, email, 10)
    const asking = hammer(there.url, tokens)
    await vi.waitFor(() => expect(asking.honoured.size).toBe(10), { timeout: 30_000 })
    await connection.database.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'plinth listener' and datname = current_database()`)
    const ended = new Map<string, number>()
    for (const token of tokens) ended.set(token, await signOut(here, token))
    await pause(150)
    await asking.stop()
    for (const [token, at] of ended) {
      expect((asking.honoured.get(token) ?? 0) - at).toBeLessThan(100)
    }
  }
})

test('all sessions at once: deleted, and the table emptied', async () => {
  for (const end of [sql`delete from sessions`, sql`truncate sessions`]) {
    const tokens = await storeSessions(connection.database, email, 300)
    for (const token of tokens.slice(0, 50)) expect(await isHonoured(there.url, token)).toBe(true)
    await connection.database.execute(end)
    await pause(100)
    for (const token of tokens.slice(0, 50)) expect(await isHonoured(there.url, token)).toBe(false)
  }
})
