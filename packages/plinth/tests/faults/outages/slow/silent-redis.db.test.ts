import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDemoAccounts } from '#auth/accounts/users'
import { connectRateLimits } from '#rate-limits/redis-counts'
import { newClient } from '#testing/client'
import { testDatabase } from '#testing/database/database'
import { configure } from '#testing/settings'
import { findRedis, startRedis } from '../../../../scripts/services/services.mjs'

const program = findRedis()

describe.skipIf(!program)('a Redis that accepts and never answers', () => {
  const db = testDatabase()
  /** Its own, because the test freezes it. */
  let redis: Awaited<ReturnType<typeof startRedis>>

  beforeAll(async () => {
    redis = await startRedis(program)
    configure({ REDIS_URL: redis.url })
    await createDemoAccounts(db.database)
    await connectRateLimits()
  })

  afterAll(async () => {
    redis.signal('SIGCONT')
    await redis.stop()
  })

  test('does not hold up a sign-in', async () => {
    expect((await newClient().signIn('viewer@example.com')).status).toBe(200)
    redis.signal('SIGSTOP')
    const waits = await Promise.all(
      ['viewer', 'editor', 'admin'].map(async (role) => {
        const start = performance.now()
        const response = await newClient().signIn(`${role}@example.com`)
        expect(response.status).toBe(200)
        return performance.now() - start
      }),
    )
    expect(Math.max(...waits)).toBeLessThan(15_000)
  })

  test('does not disable the limits, and counts again once it answers', async () => {
    const client = newClient()
    const statuses: number[] = []
    for (let count = 0; count < 11; count += 1) {
      statuses.push((await client.signIn('unknown@example.com', 'wrong')).status)
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429])
    redis.signal('SIGCONT')
    await connectRateLimits()
    const signIn = async () => (await client.signIn('unknown@example.com', 'wrong')).status
    await expect.poll(signIn, { interval: 1_000 }).toBe(401)
  })
})
