import { eq, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { consumeLink, createLink, findLink, sweepLinks, withdrawLinksOf } from '@/core/auth/links'
import { users, verificationTokens } from '@/core/db/schema'
import { testDatabase } from '../support/database'

const db = testDatabase()

const ann = { email: 'ann@example.com', userId: null }

beforeEach(() => db.database.delete(verificationTokens))

const consume = (token: string) =>
  db.database.transaction((transaction) => consumeLink(transaction, 'verify_email', token))

const expire = () =>
  db.database.update(verificationTokens).set({ expiresAt: sql`now() - interval '1 second'` })

test('looking does not use it up; using does', async () => {
  const token = await createLink(db.database, 'verify_email', ann)
  expect(await findLink('verify_email', token)).toEqual(ann)
  expect(await findLink('verify_email', token)).toEqual(ann)
  expect(await consume(token)).toEqual(ann)
  expect(await findLink('verify_email', token)).toBeUndefined()
  expect(await consume(token)).toBeUndefined()
})

test('twenty uses at once: one wins', async () => {
  const token = await createLink(db.database, 'verify_email', ann)
  const uses = await Promise.all(Array.from({ length: 20 }, () => consume(token)))
  expect(uses.filter((link) => link !== undefined)).toEqual([ann])
})

test('is for one purpose', async () => {
  const token = await createLink(db.database, 'invitation', ann)
  expect(await findLink('reset_password', token)).toBeUndefined()
  expect(await consume(token)).toBeUndefined()
  expect(await findLink('invitation', token)).toEqual(ann)
})

test('a new one takes the place of the old, also when many are made at once', async () => {
  const tokens = await Promise.all(
    Array.from({ length: 20 }, () => createLink(db.database, 'verify_email', ann)),
  )
  const found = await Promise.all(tokens.map((token) => findLink('verify_email', token)))
  expect(found.filter((link) => link !== undefined)).toHaveLength(1)
  const invitation = await createLink(db.database, 'invitation', ann)
  await createLink(db.database, 'verify_email', { ...ann, email: 'bob@example.com' })
  expect(await findLink('invitation', invitation)).toEqual(ann)
})

test.each([
  ['verify_email', 24],
  ['reset_password', 1],
  ['invitation', 7 * 24],
] as const)('%s lasts %i hours', async (purpose, hours) => {
  await createLink(db.database, purpose, ann)
  const [row] = await db.database.select().from(verificationTokens)
  const lasts = (row?.expiresAt.getTime() ?? 0) - Date.now()
  expect(lasts / 3_600_000).toBeCloseTo(hours, 1)
})

test('one that has expired opens nothing and is swept; others stay', async () => {
  const token = await createLink(db.database, 'verify_email', ann)
  await expire()
  const fresh = await createLink(db.database, 'invitation', ann)
  expect(await findLink('verify_email', token)).toBeUndefined()
  expect(await consume(token)).toBeUndefined()
  expect(await sweepLinks()).toBe(1)
  expect(await sweepLinks()).toBe(0)
  expect(await findLink('invitation', fresh)).toEqual(ann)
})

test.each(['', 'x', '%00', 'A'.repeat(43), 'A'.repeat(5000), "' or 1=1 --"])(
  'what is no token opens nothing: %j',
  async (token) => {
    await createLink(db.database, 'verify_email', ann)
    expect(await findLink('verify_email', token)).toBeUndefined()
    expect(await consume(token)).toBeUndefined()
    expect(await db.database.$count(verificationTokens)).toBe(1)
  },
)

async function makeUser(email: string): Promise<string> {
  const [user] = await db.database
    .insert(users)
    .values({ email, name: 'Somebody' })
    .returning({ id: users.id })
  return user?.id ?? ''
}

test('goes with the account that it is for', async () => {
  const email = 'carl@example.com'
  const userId = await makeUser(email)
  const token = await createLink(db.database, 'reset_password', { email, userId })
  await db.database.delete(users).where(eq(users.id, userId))
  expect(await findLink('reset_password', token)).toBeUndefined()
})

test('those of one person are withdrawn, whatever they are for', async () => {
  const email = 'dora@example.com'
  const userId = await makeUser(email)
  const reset = await createLink(db.database, 'reset_password', { email, userId })
  const verify = await createLink(db.database, 'verify_email', { email, userId })
  const other = await createLink(db.database, 'verify_email', ann)
  await withdrawLinksOf(db.database, userId)
  expect(await findLink('reset_password', reset)).toBeUndefined()
  expect(await findLink('verify_email', verify)).toBeUndefined()
  expect(await findLink('verify_email', other)).toEqual(ann)
})
