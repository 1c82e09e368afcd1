import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Database, rowsOf } from '#db/client'
import { type FreshDatabase, freshDatabase, openFresh } from '#testing/database/database'
import { randomIp } from '#testing/server/call-action'
import { type Server, startServer } from '#testing/server/server'

const stores = {
  PostgreSQL: {},
  Redis: { REDIS_URL: process.env.TEST_REDIS_URL ?? '' },
}

async function countsOf(database: Database, ip: string) {
  const query = sql`select expire from rate_limits where key like ${`%:${ip}%`}`
  return rowsOf<{ expire: string }>(await database.execute(query))
}

async function countWaiting(database: Database) {
  const query = sql`select count(*)::int as count from pg_locks
    where not granted and relation = 'passwords'::regclass
      and database = (select oid from pg_database where datname = current_database())`
  return rowsOf<{ count: number }>(await database.execute(query))[0]?.count
}

function signInAt(server: Server, ip: string) {
  return fetch(`${server.url}/api/auth/signin`, {
    method: 'POST',
    body: '{"email":"unknown@example.com","password":"wrong"}',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': ip },
  })
}

describe.each(Object.entries(stores))('two instances with rate limits in %s', (name, settings) => {
  let fresh: FreshDatabase
  let servers: Server[]

  beforeAll(async () => {
    if (name === 'Redis') expect(process.env.TEST_REDIS_URL).toMatch(/^redis:/)
    fresh = await freshDatabase()
    servers = await Promise.all(
      [1, 2].map(() => startServer({ ...fresh.settings, ...settings, TRUST_PROXY: '1' })),
    )
  })

  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()))
    await fresh.remove()
  })

  const signInInTurn = (index: number, ip: string) => signInAt(servers[index % 2] as Server, ip)

  test('share one limit per IP', async () => {
    // Redis may contain counts of an earlier run.
    const ip = randomIp()
    const statuses: number[] = []
    for (let index = 0; index < 14; index += 1) {
      statuses.push((await signInInTurn(index, ip)).status)
    }
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(4).fill(429)])
    expect((await signInInTurn(0, randomIp())).status).toBe(401)
  })

  test('do not exceed it with concurrent attempts', async () => {
    const ip = randomIp()
    const attempts = Array.from({ length: 30 }, (_, index) => signInInTurn(index, ip))
    const statuses = (await Promise.all(attempts)).map(({ status }) => status)
    const failed = statuses.filter((status) => status === 401)
    // The last one is refused in both instances if each sees the attempt of the other in flight.
    expect([9, 10]).toContain(failed.length)
    expect(statuses.filter((status) => status === 429)).toHaveLength(30 - failed.length)
  })
})

test('a sign-in in flight when the process dies counts as no failure', async () => {
  const fresh = await freshDatabase()
  const server = await startServer({ ...fresh.settings, TRUST_PROXY: '1' })
  const connection = await openFresh(fresh)
  onTestFinished(async () => {
    await connection.close()
    await server.stop('SIGKILL')
    await fresh.remove()
  })
  await connection.database.transaction(async (transaction) => {
    // Sign-ins wait here, after their limits were checked.
    await transaction.execute(sql`lock table passwords in access exclusive mode`)
    const signIns = Array.from({ length: 10 }, () => signInAt(server, '192.0.2.1'))
    const settled = Promise.allSettled(signIns)
    await expect.poll(() => countWaiting(transaction)).toBeGreaterThan(0)
    await server.stop('SIGKILL')
    await settled
  })
  const counts = await countsOf(connection.database, '192.0.2.1')
  expect(counts.length).toBeGreaterThan(0)
  for (const { expire } of counts) {
    expect(Number(expire) - Date.now()).toBeLessThan(15_000)
  }
})
