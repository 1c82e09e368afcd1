import { and, eq, gt, inArray } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { createDemoAccounts } from '#auth/accounts/users'
import { signInWithProvider } from '#auth/oauth/sign-in'
import { signInWithPassword } from '#auth/passwords/sign-in'
import { accounts, auditEvents, sessions } from '#db/schema'
import { testDatabase } from '#testing/database/database'
import { databaseRows } from '#testing/database/database-rows'
import { newScope, sessionOf } from '#testing/scope'
import { demoPassword } from '#universal/users'

const db = testDatabase()
const { userOf, lastEvents } = databaseRows(db)

let userId: string

beforeAll(async () => {
  await createDemoAccounts(db.database)
  userId = (await userOf('viewer@example.com'))?.id ?? ''
})

beforeEach(async () => {
  await db.database.delete(sessions)
})

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)

type Row = Partial<typeof sessions.$inferInsert>

async function insert(rows: Row[]): Promise<string[]> {
  const inserted = await db.database
    .insert(sessions)
    .values(
      rows.map((row) => ({
        tokenHash: crypto.getRandomValues(Buffer.alloc(32)),
        userId,
        expiresAt: minutesAgo(-60),
        ...row,
      })),
    )
    .returning({ id: sessions.id })
  return inserted.map(({ id }) => id)
}

const existing = (ids: string[]) => db.database.$count(sessions, inArray(sessions.id, ids))

const live = () =>
  db.database.$count(sessions, and(eq(sessions.userId, userId), gt(sessions.expiresAt, new Date())))

const credentials = { email: 'viewer@example.com', password: demoPassword }

test('a sign-in beyond 50 sessions ends the least recently used ones, with an audit event', async () => {
  const createdAt = minutesAgo(100)
  const lastSeenAt = minutesAgo(50)
  const oldest = await insert([
    { createdAt, lastSeenAt: minutesAgo(90) },
    // Seen at the same time as those that stay, and created earlier.
    { createdAt: minutesAgo(200), lastSeenAt },
  ])
  const kept = await insert(Array.from({ length: 49 }, () => ({ createdAt, lastSeenAt })))
  const expired = await insert([{ createdAt, lastSeenAt, expiresAt: minutesAgo(1) }])
  const otherUser = (await userOf('editor@example.com'))?.id ?? ''
  const others = await insert(
    Array.from({ length: 60 }, () => ({ userId: otherUser, lastSeenAt: minutesAgo(95) })),
  )

  const { session } = sessionOf(await signInWithPassword(newScope(), credentials))
  expect(await existing([session.id])).toBe(1)
  expect(await Promise.all([oldest, kept, expired, others].map(existing))).toEqual([0, 49, 1, 60])
  expect(await lastEvents(2)).toMatchObject([
    {
      action: 'revoke_session',
      outcome: 'success',
      actorId: userId,
      targetId: userId,
      details: { reason: 'too_many_sessions', count: 2 },
    },
    { action: 'sign_in', outcome: 'success' },
  ])
})

test('the 50th session ends no other, and no audit event says so', async () => {
  await insert(Array.from({ length: 49 }, () => ({})))
  const events = await db.database.$count(auditEvents)
  await signInWithPassword(newScope(), credentials)
  expect(await live()).toBe(50)
  expect(await db.database.$count(auditEvents)).toBe(events + 1)
})

test('the new session stays even if the clock of another process is ahead', async () => {
  await insert(Array.from({ length: 50 }, () => ({ lastSeenAt: minutesAgo(-30) })))
  const { session } = sessionOf(await signInWithPassword(newScope(), credentials))
  expect(await live()).toBe(50)
  expect(await existing([session.id])).toBe(1)
})

test('the limit holds for a sign-in with a provider', async () => {
  await db.database
    .insert(accounts)
    .values({ userId, provider: 'github', providerAccountId: 'limit' })
  await insert(Array.from({ length: 50 }, () => ({})))
  const profile = { provider: 'github', accountId: 'limit', email: undefined, name: undefined }
  await signInWithProvider(newScope(), profile, { linkTo: undefined })
  expect(await live()).toBe(50)
})
