import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createDemoAccounts } from '#auth/accounts/users'
import { hashingQueue, reserveHash, verifyPassword } from '#auth/passwords/hash'
import { createHashingQueue } from '#auth/passwords/queue'
import { connection } from '#db/client'
import { auditEvents, sessions } from '#db/schema'
import { newClient } from '#testing/client'
import { testDatabase } from '#testing/database/database'
import { newScope } from '#testing/scope'

hashingQueue.set(createHashingQueue(1, 2))
afterAll(() => hashingQueue.clear())

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
    expect(await response.json()).toMatchObject({
      code: 'rate_limited',
      detail: 'Too many attempts. Try again in a second.',
    })
  }
  expect(await db.database.$count(sessions)).toBe(3)
  expect(await db.database.$count(auditEvents)).toBe(3)
  // Nine rate limit queries for each accepted sign-in on this database, none for the others.
  expect(query.mock.calls.length).toBeLessThanOrEqual(27)
  expect((await newClient().signIn('viewer@example.com')).status).toBe(200)
})

test('one client with 18 connections does not keep others from signing in', async () => {
  const attacker = newScope()
  let attacking = true
  let rejected = 0
  const connections = Array.from({ length: 18 }, async () => {
    while (attacking) {
      const hash = reserveHash(attacker, () => verifyPassword(undefined, 'guess'))
      await hash.catch(() => {
        rejected += 1
      })
      // A rejected call does no I/O and would not let anything else run.
      await setImmediate()
    }
  })
  const victims: number[] = []
  for (let turn = 0; turn < 5; turn += 1) {
    victims.push((await newClient().signIn('editor@example.com')).status)
  }
  attacking = false
  await Promise.all(connections)
  expect(victims).toEqual(Array(5).fill(200))
  expect(rejected).toBeGreaterThan(15)
})
