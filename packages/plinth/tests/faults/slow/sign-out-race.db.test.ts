import { eq } from 'drizzle-orm'
import { beforeAll, expect, test, vi } from 'vitest'
import { createDemoAccounts } from '#auth/accounts/users'
import { createSession } from '#auth/sessions/session'
import { sessions, users } from '#db/schema'
import type { SessionUser } from '#http/scope'
import { newClient } from '#testing/client'
import { onPostgres, testDatabase } from '#testing/database/database'

const db = testDatabase()

beforeAll(() => createDemoAccounts(db.database))

test('a session stays revoked when it is used during the sign-out', async () => {
  const viewer = eq(users.email, 'viewer@example.com')
  const [user] = await db.database.select().from(users).where(viewer)
  if (!user) throw new Error('No viewer was found.')
  const client = newClient()
  const device = { ip: client.ip, userAgent: undefined }

  async function race() {
    const { token, session } = await createSession(db.database, user as SessionUser, device, {
      by: 'password',
    })
    const headers = { authorization: `Bearer ${token}` }
    // Due for extension, so that using it also writes.
    await db.database
      .update(sessions)
      .set({ expiresAt: new Date(Date.now() + 60_000) })
      .where(eq(sessions.id, session.id))
    const signOut = () => client.send('/api/auth/signout', { method: 'POST', headers })
    const use = () => client.send('/api/auth/session', { headers })
    const [, signedOut] = await Promise.all([use(), signOut(), use()])
    // A request that a busy machine delays beyond the limits of the database is 503, and may be sent again.
    const { status } = signedOut.status === 503 ? await available(signOut) : signedOut
    expect(status).toBe(303)
    return (await available(use)).json()
  }

  // The embedded database runs queries one after another, so fewer rounds are enough.
  const rounds = onPostgres ? 125 : 25
  for (let round = 0; round < rounds; round += 1) {
    const sessionsAfter = await Promise.all(Array.from({ length: 8 }, race))
    expect(sessionsAfter.filter((session) => session !== null)).toEqual([])
  }
  expect(await db.database.$count(sessions)).toBe(0)
}, 300_000)

function available(request: () => Promise<Response>): Promise<Response> {
  const attempt = async () => {
    const response = await request()
    expect(response.status).not.toBe(503)
    return response
  }
  return vi.waitFor(attempt, { timeout: 60_000 })
}
