import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { logOutage } from '#log/outage'
import { enableMetrics, readMetrics } from '#metrics/metrics'
import { counts } from '#rate-limits/counts'
import { checkRateLimit } from '#rate-limits/rate-limit'
import { connectRateLimits, disconnectRedis, isRedisUp } from '#rate-limits/redis-counts'
import type { Limit } from '#rate-limits/stored-count'
import { configure } from '#testing/settings'
import { findRedis, startRedis } from '../../scripts/services/services.mjs'
import { captureLog } from '../support/log'

const program = findRedis()
const dayMs = 24 * 60 * 60_000

describe.skipIf(!program)('rate limits in Redis', () => {
  let redis: Awaited<ReturnType<typeof startRedis>>
  let direct: Redis

  beforeAll(async () => {
    enableMetrics()
    redis = await startRedis(program)
    direct = new Redis(redis.url)
    configure({ REDIS_URL: redis.url })
    await connectRateLimits()
  })

  afterEach(() => {
    vi.useRealTimers()
  })

  afterAll(async () => {
    disconnectRedis()
    direct.disconnect()
    redis.signal('SIGCONT')
    await redis.stop()
  })

  const limitOf = (key: string): Limit => ({
    name: 'redis',
    rateLimit: { times: 3, seconds: 60 },
    key,
  })
  const use = (key: string) => checkRateLimit('redis', { times: 3, seconds: 60 }, key)
  const up = (limit: Limit) => ({ limit, by: 1 as const })

  test('changes some counts, then reads others, and reading creates none', async () => {
    const [one, other, unused] = ['one', 'other', 'unused'].map(limitOf) as [Limit, Limit, Limit]
    expect(await counts().change([up(one), up(other)], [other, one, unused])).toEqual({
      changed: [
        { uses: 1, seconds: 60 },
        { uses: 1, seconds: 60 },
      ],
      read: [
        { uses: 1, seconds: 60 },
        { uses: 1, seconds: 60 },
        { uses: 0, seconds: 0 },
      ],
    })
    expect(await direct.exists('plinth.redis:unused')).toBe(0)
    await counts().reset(one)
    expect(await direct.exists('plinth.redis:one')).toBe(0)
  })

  test.each([400 * dayMs, -400 * dayMs])(
    'the clock of this machine does not matter (%i ms)',
    async (offsetMs) => {
      const key = `clock ${offsetMs}`
      for (let count = 0; count < 4; count += 1) await use(key)
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + offsetMs })
      const result = await use(key)
      expect(result.allowed).toBe(false)
      expect(result.seconds).toBeLessThanOrEqual(60)
    },
  )

  test('an end that is too late, or missing, is corrected', async () => {
    await use('late')
    for (const spoil of [
      () => direct.pexpire('plinth.redis:late', 400 * dayMs),
      () => direct.persist('plinth.redis:late'),
    ]) {
      await spoil()
      const { read } = await counts().change([], [limitOf('late')])
      expect(read).toEqual([{ uses: 1, seconds: 60 }])
      expect(await direct.pttl('plinth.redis:late')).toBeLessThanOrEqual(60_000)
    }
  })

  test('clears the counts whose key has a part, and no others', async () => {
    for (const key of ['192.0.2.1', '192.0.2.1 abc', '192.0.2.11', 'abc']) await use(key)
    await direct.set('other:192.0.2.1', 1)
    expect(await counts().clear(['192.0.2.1'])).toBe(2)
    expect(await direct.exists('plinth.redis:192.0.2.11', 'plinth.redis:abc')).toBe(2)
    expect(await direct.exists('other:192.0.2.1')).toBe(1)
  })

  test('an outage is one line a second and is counted, and its end is a line', async () => {
    const lines = captureLog('info')
    redis.signal('SIGSTOP')
    const results = await Promise.all(Array.from({ length: 20 }, () => use('outage')))
    // Counted in memory meanwhile.
    expect(results.filter(({ allowed }) => allowed)).toHaveLength(3)
    expect(readMetrics().counters.plinth_redis_failures_total).toBeGreaterThanOrEqual(20)
    await expect.poll(isRedisUp).toBe(false)
    await expect.poll(() => lines().length, { timeout: 10_000 }).toBeGreaterThan(0)
    const [first, ...others] = lines()
    expect(first).toMatchObject({ level: 'warn', msg: 'redis unavailable' })
    expect(first?.failures).toBeGreaterThanOrEqual(20)
    for (const { msg } of others) expect(msg).toBe('redis unavailable')
    redis.signal('SIGCONT')
    await expect.poll(isRedisUp, { timeout: 20_000 }).toBe(true)
    await logOutage('redis')
    await logOutage('redis', performance.now() + 10_000)
    expect(lines().at(-1)).toMatchObject({ level: 'info', msg: 'redis available again' })
    const times = lines().map(({ time }) => Number(time))
    const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000
    expect(times.length).toBeLessThanOrEqual(seconds + 4)
  })
})
