import { setTimeout as pause } from 'node:timers/promises'
import { type Called, callAction, outcomeOf } from '@tests/support/call-action'
import { transports } from '@tests/support/callers'
import { runningProduct } from '@tests/support/product'
import { type Server, startServer } from '@tests/support/server'
import { eq, notInArray, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSession } from '@/core/auth/sessions'
import { users } from '@/core/db/schema'

const product = runningProduct()

let second: Server

beforeAll(async () => {
  second = await startServer(product.place.settings)
})

afterAll(() => second.stop())

type Admin = { id: string; headers: Record<string, string> }

/** New ones, who are then the only ones. */
async function onlyAdmins(count: number): Promise<Admin[]> {
  const { database } = product
  const people = Array.from({ length: count }, () => ({
    email: `admin-${crypto.randomUUID()}@example.com`,
    name: 'Admin',
    role: 'admin' as const,
  }))
  const created = await database.insert(users).values(people).returning()
  const ids = created.map(({ id }) => id)
  await database.update(users).set({ role: 'viewer' }).where(notInArray(users.id, ids))
  const device = { address: '127.0.0.1', userAgent: undefined }
  return Promise.all(
    created.map(async (user) => {
      const { token } = await createSession(database, user, device)
      return { id: user.id, headers: transports.bearer(token) }
    }),
  )
}

function removeBy(url: string, admin: Admin, target: Admin, way: number): Promise<Called> {
  const [name, input] =
    way === 0
      ? (['updateUserRole', { userId: target.id, role: 'viewer' }] as const)
      : (['deleteUser', { userId: target.id }] as const)
  return callAction(url, name, input, admin.headers)
}

const admins = () => product.database.$count(users, eq(users.role, 'admin'))

test('two admins remove each other in two processes, 200 times: never is there none', {
  timeout: 300_000,
}, async () => {
  for (let round = 0; round < 200; round += 1) {
    const [first, other] = (await onlyAdmins(2)) as [Admin, Admin]
    const outcomes = await Promise.all([
      removeBy(product.url, first, other, round % 2),
      removeBy(second.url, other, first, (round >> 1) % 2),
    ])
    const said = outcomes.map(outcomeOf).sort()
    // The slower one is no admin any more, or no longer there, when its turn comes.
    expect(
      said.filter((one) => one === 'done'),
      said.join(),
    ).toHaveLength(1)
    expect(['forbidden', 'unauthenticated', 'conflict']).toContain(
      said.find((one) => one !== 'done'),
    )
    expect(await admins()).toBe(1)
  }
})

test('three pairs at once, and each who removes themselves: no one waits in a circle', {
  timeout: 300_000,
}, async () => {
  for (let round = 0; round < 25; round += 1) {
    const six = await onlyAdmins(6)
    const calls = six.map((admin, index) => {
      // Each the next, and every third their own role.
      const target = index % 3 === 2 ? admin : (six[(index + 1) % 6] as Admin)
      const url = index % 2 ? product.url : second.url
      return removeBy(url, admin, target, target === admin ? 0 : (round + index) % 2)
    })
    const said = (await Promise.all(calls)).map(outcomeOf)
    expect(said).not.toContain('internal')
    expect(said).not.toContain('unavailable')
    expect(await admins()).toBeGreaterThan(0)
  }
  const [row] = (await product.database.execute(
    sql`select deadlocks from pg_stat_database where datname = current_database()`,
  )) as unknown as { deadlocks: string }[]
  expect(Number(row?.deadlocks)).toBe(0)
})

test('the last admin is told why, in a sentence', async () => {
  const [last] = (await onlyAdmins(1)) as [Admin]
  const told = await removeBy(product.url, last, last, 0)
  expect(told).toMatchObject({ ok: false, code: 'conflict' })
  expect('message' in told && told.message).toContain('The last admin')
  const own = await removeBy(product.url, last, last, 1)
  expect(own).toMatchObject({ ok: false, code: 'conflict' })
  expect('message' in own && own.message).toContain('your account page')
  expect(await admins()).toBe(1)
})

test('what was changed is seen by the very next request here, and in the other process within a tenth of a second', async () => {
  const [admin, target] = (await onlyAdmins(2)) as [Admin, Admin]
  const asked = async (url: string, path: string) => {
    const answer = await fetch(url + path, { headers: target.headers, redirect: 'manual' })
    await answer.arrayBuffer()
    return answer.status
  }
  const seen = async (here: string, elsewhere: string, status: number, page: number) => {
    expect(await asked(here, '/api/demo/admin/users')).toBe(status)
    await pause(100)
    expect(await asked(elsewhere, '/api/demo/admin/users')).toBe(status)
    for (const url of [here, elsewhere]) expect(await asked(url, '/admin')).toBe(page)
  }
  await seen(product.url, second.url, 200, 200)
  await removeBy(product.url, admin, target, 0)
  await seen(product.url, second.url, 403, 403)
  const back = { userId: target.id, role: 'admin' }
  await callAction(second.url, 'updateUserRole', back, admin.headers)
  await seen(second.url, product.url, 200, 200)
  await removeBy(second.url, admin, target, 1)
  await seen(second.url, product.url, 401, 307)
})
