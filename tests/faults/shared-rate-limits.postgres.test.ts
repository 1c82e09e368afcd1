import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../support/database'
import { randomIp } from '../support/random-ip'
import { type Server, startServer } from '../support/server'

const stores = {
  PostgreSQL: {},
  Redis: { REDIS_URL: process.env.TEST_REDIS_URL ?? '' },
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

  const signInAt = (index: number, ip: string) =>
    fetch(`${servers[index % 2]?.url}/api/auth/signin`, {
      method: 'POST',
      body: '{"email":"unknown@example.com","password":"wrong"}',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': ip },
    })

  test('share one limit per IP', async () => {
    // Redis may contain counts of an earlier run.
    const ip = randomIp()
    const statuses: number[] = []
    for (let index = 0; index < 14; index += 1) {
      statuses.push((await signInAt(index, ip)).status)
    }
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(4).fill(429)])
    expect((await signInAt(0, randomIp())).status).toBe(401)
  })
})
