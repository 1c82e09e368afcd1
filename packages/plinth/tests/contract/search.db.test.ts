import { desc, eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { createDemoAccounts } from '#auth/accounts/users'
import { auditEvents } from '#db/schema'
import { newClient } from '#testing/client'
import { testDatabase } from '#testing/database/database'

const db = testDatabase()

beforeEach(() => createDemoAccounts(db.database))

test('finds the home page for every signed-in user', async () => {
  const client = newClient()
  await client.signIn('viewer@example.com', 'plinth-demo-1')
  const response = await client.send('/api/search?query=home')
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({
    groups: [{ title: 'Pages', results: [{ href: '/home', label: 'Home' }] }],
  })
})

test('refuses an anonymous caller, and records that they are not signed in', async () => {
  const response = await newClient().send('/api/search?query=home')
  expect(response.status).toBe(401)
  const [event] = await db.database
    .select({ outcome: auditEvents.outcome, details: auditEvents.details })
    .from(auditEvents)
    .where(eq(auditEvents.action, 'search'))
    .orderBy(desc(auditEvents.id))
  expect(event).toEqual({ outcome: 'denied', details: { reason: 'unauthenticated' } })
})

test('refuses a text over 100 characters', async () => {
  const client = newClient()
  await client.signIn('viewer@example.com', 'plinth-demo-1')
  expect((await client.send(`/api/search?query=${'a'.repeat(101)}`)).status).toBe(422)
})
