import { eq, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import {
  consumeLink,
  createLink,
  deleteExpiredLinks,
  deleteUserLinks,
  findLink,
  linkUrl,
} from '#auth/accounts/links'
import { users, verificationTokens } from '#db/schema'
import { testDatabase } from '#testing/database/database'
import { configure } from '#testing/settings'

const db = testDatabase()

const recipient = { email: 'recipient@example.com', userId: null }

beforeEach(() => db.database.delete(verificationTokens))

const consume = (token: string) =>
  db.database.transaction((transaction) => consumeLink(transaction, 'verify_email', token))

const expire = () =>
  db.database.update(verificationTokens).set({ expiresAt: sql`now() - interval '1 second'` })

test('finding a link does not consume it', async () => {
  const token = await createLink(db.database, 'verify_email', recipient)
  expect(await findLink('verify_email', token)).toEqual(recipient)
  expect(await findLink('verify_email', token)).toEqual(recipient)
  expect(await consume(token)).toEqual(recipient)
  expect(await findLink('verify_email', token)).toBeUndefined()
  expect(await consume(token)).toBeUndefined()
})

test('one of twenty concurrent uses succeeds', async () => {
  const token = await createLink(db.database, 'verify_email', recipient)
  const uses = await Promise.all(Array.from({ length: 20 }, () => consume(token)))
  expect(uses.filter((link) => link !== undefined)).toEqual([recipient])
})

test('a link works for one purpose only', async () => {
  const token = await createLink(db.database, 'invitation', recipient)
  expect(await findLink('reset_password', token)).toBeUndefined()
  expect(await consume(token)).toBeUndefined()
  expect(await findLink('invitation', token)).toEqual(recipient)
})

test('the link of an invitation has the role of the account that it creates', async () => {
  const token = await createLink(db.database, 'invitation', { ...recipient, role: 'editor' })
  expect(await findLink('invitation', token)).toEqual({ ...recipient, role: 'editor' })
})

test.each([
  ['verify_email', 'https://example.com/verify?token=abc'],
  ['reset_password', 'https://example.com/reset?token=abc'],
  ['invitation', 'https://example.com/sign-up?token=abc'],
] as const)('a link for %s opens %s', (purpose, url) => {
  configure({ AUTH_URL: 'https://example.com' })
  expect(linkUrl(purpose, 'abc')).toBe(url)
})

test('a new link replaces the old one, also with concurrent requests', async () => {
  const tokens = await Promise.all(
    Array.from({ length: 20 }, () => createLink(db.database, 'verify_email', recipient)),
  )
  const found = await Promise.all(tokens.map((token) => findLink('verify_email', token)))
  expect(found.filter((link) => link !== undefined)).toHaveLength(1)
  const invitation = await createLink(db.database, 'invitation', recipient)
  await createLink(db.database, 'verify_email', { ...recipient, email: 'other@example.com' })
  expect(await findLink('invitation', invitation)).toEqual(recipient)
})

test.each([
  ['verify_email', 24],
  ['reset_password', 1],
  ['invitation', 7 * 24],
] as const)('%s expires after %i hours', async (purpose, hours) => {
  await createLink(db.database, purpose, recipient)
  const [row] = await db.database.select().from(verificationTokens)
  const lifetime = (row?.expiresAt.getTime() ?? 0) - Date.now()
  expect(lifetime / 3_600_000).toBeCloseTo(hours, 1)
})

test('rejects and deletes an expired link, and keeps others', async () => {
  const token = await createLink(db.database, 'verify_email', recipient)
  await expire()
  const live = await createLink(db.database, 'invitation', recipient)
  expect(await findLink('verify_email', token)).toBeUndefined()
  expect(await consume(token)).toBeUndefined()
  expect(await deleteExpiredLinks()).toBe(1)
  expect(await deleteExpiredLinks()).toBe(0)
  expect(await findLink('invitation', live)).toEqual(recipient)
})

test.each(['', 'x', '%00', 'A'.repeat(43), 'A'.repeat(5000), "' or 1=1 --"])(
  'rejects an invalid token: %j',
  async (token) => {
    await createLink(db.database, 'verify_email', recipient)
    expect(await findLink('verify_email', token)).toBeUndefined()
    expect(await consume(token)).toBeUndefined()
    expect(await db.database.$count(verificationTokens)).toBe(1)
  },
)

async function createUser(email: string): Promise<string> {
  const [user] = await db.database
    .insert(users)
    .values({ email, name: 'User' })
    .returning({ id: users.id })
  return user?.id ?? ''
}

test('a link is deleted with its account', async () => {
  const email = 'deleted@example.com'
  const userId = await createUser(email)
  const token = await createLink(db.database, 'reset_password', { email, userId })
  await db.database.delete(users).where(eq(users.id, userId))
  expect(await findLink('reset_password', token)).toBeUndefined()
})

test('deletes all links of a user', async () => {
  const email = 'owner@example.com'
  const userId = await createUser(email)
  const reset = await createLink(db.database, 'reset_password', { email, userId })
  const verify = await createLink(db.database, 'verify_email', { email, userId })
  const other = await createLink(db.database, 'verify_email', recipient)
  await deleteUserLinks(db.database, userId)
  expect(await findLink('reset_password', reset)).toBeUndefined()
  expect(await findLink('verify_email', verify)).toBeUndefined()
  expect(await findLink('verify_email', other)).toEqual(recipient)
})
