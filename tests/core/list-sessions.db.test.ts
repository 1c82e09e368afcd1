import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { createDemoAccounts } from '@/core/auth/demo-accounts'
import { listSessionsOf } from '@/core/auth/list-sessions'
import { sessions } from '@/core/db/schema'
import { testDatabase } from '../support/database'
import { signedInAs } from '../support/signed-in-as'
import { idOf } from '../support/stored'

const db = testDatabase()

beforeAll(() => createDemoAccounts(db.database))

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)

async function newSession(lastSeen: number): Promise<string> {
  const { session } = await signedInAs(db.database, 'viewer@example.com')
  const lastSeenAt = minutesAgo(lastSeen)
  await db.database.update(sessions).set({ lastSeenAt }).where(eq(sessions.id, session.id))
  return session.id
}

test('those that are alive, the one named first, then the last seen', async () => {
  const [oldest, newest, middle, ended] = [
    await newSession(30),
    await newSession(10),
    await newSession(20),
    await newSession(0),
  ]
  await signedInAs(db.database, 'editor@example.com')
  const expiresAt = minutesAgo(1)
  await db.database.update(sessions).set({ expiresAt }).where(eq(sessions.id, ended))
  const viewer = await idOf(db.database, 'viewer@example.com')
  const ids = async (...how: [number, string?]) =>
    (await listSessionsOf(viewer, ...how)).map(({ id }) => id)
  expect(await ids(10)).toEqual([newest, middle, oldest])
  expect(await ids(10, oldest)).toEqual([oldest, newest, middle])
  expect(await ids(2)).toEqual([newest, middle])
})

test('what is shown of one, and no token', async () => {
  const viewer = await idOf(db.database, 'viewer@example.com')
  const [shown] = await listSessionsOf(viewer, 1)
  expect(Object.keys(shown ?? {}).sort()).toEqual([
    'address',
    'createdAt',
    'expiresAt',
    'id',
    'lastSeenAt',
    'userAgent',
  ])
  expect(shown).toMatchObject({ address: '127.0.0.1', userAgent: 'test' })
})
