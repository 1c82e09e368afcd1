import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, type Place } from '../support/database'
import { type Server, startServer } from '../support/server'

const stores = {
  PostgreSQL: {},
  Redis: { REDIS_URL: process.env.TEST_REDIS_URL ?? '' },
}

describe.each(Object.entries(stores))('two instances that count in %s', (name, settings) => {
  let place: Place
  let servers: Server[]

  beforeAll(async () => {
    if (name === 'Redis') expect(process.env.TEST_REDIS_URL).toMatch(/^redis:/)
    place = await freshDatabase()
    servers = await Promise.all(
      [1, 2].map(() => startServer({ ...place.settings, ...settings, TRUST_PROXY: '1' })),
    )
  })

  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()))
    await place.remove()
  })

  const tryAt = (index: number, address: string) =>
    fetch(`${servers[index % 2]?.url}/api/auth/signin`, {
      method: 'POST',
      body: '{"email":"nobody@example.com","password":"wrong"}',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    })

  test('share one limit, and one caller does not use up that of another', async () => {
    // Redis may have been there before this test.
    const address = randomUUID()
    const statuses: number[] = []
    for (let index = 0; index < 14; index += 1) {
      statuses.push((await tryAt(index, address)).status)
    }
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(4).fill(429)])
    expect((await tryAt(0, randomUUID())).status).toBe(401)
  })
})
