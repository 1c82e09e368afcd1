import { beforeAll, expect, test, vi } from 'vitest'
import { createDemoAccounts } from '@/core/auth/demo-accounts'
import { connection } from '@/core/db/client'
import { auditEvents, sessions } from '@/core/db/schema'
import { newClient } from '../support/client'
import { testDatabase } from '../support/database'

await vi.hoisted(async () => {
  const { hashingQueue } = await import('@/core/auth/hashing-queue')
  const { singleton } = await import('@/core/singleton')
  singleton('auth.hashing', () => hashingQueue(1, 2))
})

const db = testDatabase()

beforeAll(() => createDemoAccounts(db.database))

test('as many as can be hashed get in, and the others are told when to come back', async () => {
  const asked = vi.spyOn(connection(), 'query')
  const rush = Array.from({ length: 30 }, () => newClient().signIn('viewer@example.com'))
  const answers = await Promise.all(rush)
  const refused = answers.filter(({ status }) => status === 429)
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
  expect(refused).toHaveLength(27)
  for (const answer of refused) {
    expect(answer.headers.get('retry-after')).toBe('1')
    expect((await answer.json()).code).toBe('rate_limited')
  }
  expect(await db.database.$count(sessions)).toBe(3)
  expect(await db.database.$count(auditEvents)).toBe(3)
  // Four for the limits of each who got in, where they are counted here; none for the others.
  expect(asked.mock.calls.length).toBeLessThanOrEqual(12)
  expect((await newClient().signIn('viewer@example.com')).status).toBe(200)
})
