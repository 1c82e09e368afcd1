import { beforeAll, expect, test, vi } from 'vitest'
import { createDemoAccounts } from '@/core/auth/accounts/demo-accounts'
import { connection } from '@/core/db/client'
import { auditEvents, sessions } from '@/core/db/schema'
import { newClient } from '../support/client'
import { testDatabase } from '../support/database'

await vi.hoisted(async () => {
  const { createHashingQueue } = await import('@/core/auth/passwords/queue')
  const { singleton } = await import('@/core/config/singleton')
  singleton('auth.hashing', () => createHashingQueue(1, 2))
})

const db = testDatabase()

beforeAll(() => createDemoAccounts(db.database))

test('returns 429 with Retry-After when the hashing queue is full', async () => {
  const query = vi.spyOn(connection(), 'query')
  const signIns = Array.from({ length: 30 }, () => newClient().signIn('viewer@example.com'))
  const responses = await Promise.all(signIns)
  const rejected = responses.filter(({ status }) => status === 429)
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(3)
  expect(rejected).toHaveLength(27)
  for (const response of rejected) {
    expect(response.headers.get('retry-after')).toBe('1')
    expect((await response.json()).code).toBe('rate_limited')
  }
  expect(await db.database.$count(sessions)).toBe(3)
  expect(await db.database.$count(auditEvents)).toBe(3)
  // Four rate limit queries for each accepted sign-in on this database, none for the others.
  expect(query.mock.calls.length).toBeLessThanOrEqual(12)
  expect((await newClient().signIn('viewer@example.com')).status).toBe(200)
})
