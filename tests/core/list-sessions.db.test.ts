import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { createDemoAccounts } from '@/core/auth/accounts/demo-accounts'
import { listUserSessions } from '@/core/auth/sessions/list'
import { sessions } from '@/core/db/schema'
import { testDatabase } from '../support/database'
import { userIdOf } from '../support/database-rows'
import { signedInScope } from '../support/signed-in-scope'

const db = testDatabase()

beforeAll(() => createDemoAccounts(db.database))

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)

async function newSession(lastSeenMinutes: number): Promise<string> {
  const { session } = await signedInScope(db.database, 'viewer@example.com')
  const lastSeenAt = minutesAgo(lastSeenMinutes)
  await db.database.update(sessions).set({ lastSeenAt }).where(eq(sessions.id, session.id))
  return session.id
}

test('lists live sessions, first the given one, then the most recently seen', async () => {
  const [oldest, newest, middle, expired] = [
    await newSession(30),
    await newSession(10),
    await newSession(20),
    await newSession(0),
  ]
  await signedInScope(db.database, 'editor@example.com')
  const expiresAt = minutesAgo(1)
  await db.database.update(sessions).set({ expiresAt }).where(eq(sessions.id, expired))
  const viewer = await userIdOf(db.database, 'viewer@example.com')
  const ids = async (...args: [number, string?]) =>
    (await listUserSessions(viewer, ...args)).map(({ id }) => id)
  expect(await ids(10)).toEqual([newest, middle, oldest])
  expect(await ids(10, oldest)).toEqual([oldest, newest, middle])
  expect(await ids(2)).toEqual([newest, middle])
})

test('returns no token', async () => {
  const viewer = await userIdOf(db.database, 'viewer@example.com')
  const [listed] = await listUserSessions(viewer, 1)
  expect(Object.keys(listed ?? {}).sort()).toEqual([
    'createdAt',
    'expiresAt',
    'id',
    'ip',
    'lastSeenAt',
    'userAgent',
  ])
  expect(listed).toMatchObject({ ip: '127.0.0.1', userAgent: 'test' })
})
