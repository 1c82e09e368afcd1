import { setTimeout as pause } from 'node:timers/promises'
import { eq, notInArray, sql } from 'drizzle-orm'
import { createSession } from 'plinth/auth/sessions/session'
import { users } from 'plinth/db/schema'
import { repetitions, transports } from 'plinth/testing'
import {
  type ActionOutcome,
  callAction,
  outcomeOf,
  runningServer,
  type Server,
  startServer,
} from 'plinth/testing/server'
import { afterAll, beforeAll, expect, test } from 'vitest'

const app = runningServer()

let otherServer: Server

beforeAll(async () => {
  // As the first one: a busy machine is slower than the default.
  otherServer = await startServer({ ...app.fresh.settings, DATABASE_TIMEOUT_MS: '20000' })
})

afterAll(() => otherServer.stop())

type Admin = { id: string; headers: Record<string, string> }

/** Creates admins and demotes all others. */
async function onlyAdmins(count: number): Promise<Admin[]> {
  const { database } = app
  const newAdmins = Array.from({ length: count }, () => ({
    email: `admin-${crypto.randomUUID()}@example.com`,
    name: 'Admin',
    role: 'admin' as const,
  }))
  const created = await database.insert(users).values(newAdmins).returning()
  const ids = created.map(({ id }) => id)
  await database.update(users).set({ role: 'viewer' }).where(notInArray(users.id, ids))
  const device = { ip: '127.0.0.1', userAgent: undefined }
  return Promise.all(
    created.map(async (user) => {
      const { token } = await createSession(database, user, device, { by: 'password' })
      return { id: user.id, headers: transports.bearer(token) }
    }),
  )
}

function removeAdmin(
  url: string,
  admin: Admin,
  target: Admin,
  method: number,
): Promise<ActionOutcome> {
  const [name, input] =
    method === 0
      ? (['updateUserRole', { userId: target.id, role: 'viewer', confirmed: true }] as const)
      : (['deleteUser', { userId: target.id }] as const)
  return callAction(url, name, input, admin.headers)
}

const countAdmins = () => app.database.$count(users, eq(users.role, 'admin'))

test('one admin remains when two remove each other concurrently in two processes', {
  timeout: 300_000,
}, async () => {
  for (let round = 0; round < repetitions(200); round += 1) {
    const [first, other] = (await onlyAdmins(2)) as [Admin, Admin]
    const outcomes = await Promise.all([
      removeAdmin(app.url, first, other, round % 2),
      removeAdmin(otherServer.url, other, first, (round >> 1) % 2),
    ])
    const codes = outcomes.map(outcomeOf).sort()
    // The slower one has been demoted or deleted when its turn comes.
    expect(
      codes.filter((code) => code === 'done'),
      codes.join(),
    ).toHaveLength(1)
    expect(['forbidden', 'unauthenticated', 'conflict']).toContain(
      codes.find((code) => code !== 'done'),
    )
    expect(await countAdmins()).toBe(1)
  }
})

test('concurrent removals by six admins do not deadlock', {
  timeout: 300_000,
}, async () => {
  for (let round = 0; round < repetitions(25); round += 1) {
    const six = await onlyAdmins(6)
    const calls = six.map((admin, index) => {
      // Each removes the next one; every third demotes itself.
      const target = index % 3 === 2 ? admin : (six[(index + 1) % 6] as Admin)
      const url = index % 2 ? app.url : otherServer.url
      return removeAdmin(url, admin, target, target === admin ? 0 : (round + index) % 2)
    })
    const codes = (await Promise.all(calls)).map(outcomeOf)
    expect(codes).not.toContain('internal')
    expect(codes).not.toContain('unavailable')
    expect(await countAdmins()).toBeGreaterThan(0)
  }
  const [row] = (await app.database.execute(
    sql`select deadlocks from pg_stat_database where datname = current_database()`,
  )) as unknown as { deadlocks: string }[]
  expect(Number(row?.deadlocks)).toBe(0)
})

test('rejects the removal of the last admin with a message', async () => {
  const [last] = (await onlyAdmins(1)) as [Admin]
  const demotion = await removeAdmin(app.url, last, last, 0)
  expect(demotion).toMatchObject({ ok: false, code: 'conflict' })
  expect('message' in demotion && demotion.message).toContain('The last admin')
  const deletion = await removeAdmin(app.url, last, last, 1)
  expect(deletion).toMatchObject({ ok: false, code: 'conflict' })
  expect('message' in deletion && deletion.message).toContain('your account page')
  expect(await countAdmins()).toBe(1)
})

test('a change takes effect immediately in its process and within 100 ms in another', async () => {
  const [admin, target] = (await onlyAdmins(2)) as [Admin, Admin]
  const statusOf = async (url: string, path: string) => {
    const response = await fetch(url + path, { headers: target.headers, redirect: 'manual' })
    await response.arrayBuffer()
    return response.status
  }
  const expectStatus = async (first: string, second: string, status: number, page: number) => {
    expect(await statusOf(first, '/api/demo/admin/users')).toBe(status)
    await pause(100)
    expect(await statusOf(second, '/api/demo/admin/users')).toBe(status)
    for (const url of [first, second]) expect(await statusOf(url, '/admin')).toBe(page)
  }
  await expectStatus(app.url, otherServer.url, 200, 200)
  await removeAdmin(app.url, admin, target, 0)
  await expectStatus(app.url, otherServer.url, 403, 403)
  const promotion = { userId: target.id, role: 'admin' }
  await callAction(otherServer.url, 'updateUserRole', promotion, admin.headers)
  await expectStatus(otherServer.url, app.url, 200, 200)
  await removeAdmin(otherServer.url, admin, target, 1)
  await expectStatus(otherServer.url, app.url, 401, 307)
})
