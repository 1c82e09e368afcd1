import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { createDemoAccounts } from '@/core/auth/demo-accounts'
import { createSession } from '@/core/auth/sessions'
import { sessions, users } from '@/core/db/schema'
import { newClient } from '../support/client'
import { onPostgres, testDatabase } from '../support/database'

const db = testDatabase()

beforeAll(() => createDemoAccounts(db.database))

test('a session that is signed out of while it is used is never alive afterwards', async () => {
  const viewer = eq(users.email, 'viewer@example.com')
  const [user] = await db.database.select().from(users).where(viewer)
  if (!user) throw new Error('There is no viewer.')
  const client = newClient()
  const device = { address: client.address, userAgent: undefined }

  async function race() {
    const { token } = await createSession(db.database, user as typeof users.$inferSelect, device)
    const headers = { authorization: `Bearer ${token}` }
    // Due for extension, so that using it writes as well.
    await db.database.update(sessions).set({ expiresAt: new Date(Date.now() + 60_000) })
    await Promise.all([
      client.session(headers),
      client.send('/api/auth/signout', { method: 'POST', headers }),
      client.session(headers),
    ])
    return client.session(headers)
  }

  // The embedded database does one thing after the other, so there is less to race.
  const rounds = onPostgres ? 125 : 25
  for (let round = 0; round < rounds; round += 1) {
    const afterwards = await Promise.all(Array.from({ length: 8 }, race))
    expect(afterwards.filter((session) => session !== null)).toEqual([])
  }
  expect(await db.database.$count(sessions)).toBe(0)
}, 300_000)
