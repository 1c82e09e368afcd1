import { eq, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { hashToken } from '#auth/sessions/cookie'
import { env } from '#config/env'
import { accountChanges, accounts, mailQueue, passwords, users } from '#db/schema'
import { changeSignIn, listChanges } from '#recovery/changes'
import { removeMethods, restoreMethods, snapshot } from '#recovery/methods'
import { recoveryMail } from '#recovery/recovery-mail'
import { testDatabase } from '#testing/database/database'

const db = testDatabase()
env().AUTH_SECRET ??= 'only-for-tests-'.repeat(3)
let userId: string

beforeEach(async () => {
  for (const table of [accountChanges, mailQueue, users]) await db.database.delete(table)
  const [user] = await db.database
    .insert(users)
    .values({ email: 'a@example.com', name: 'A' })
    .returning({ id: users.id })
  userId = user?.id ?? ''
  await db.database.insert(passwords).values({ userId, hash: '$argon2id$first hash' })
})

const setPassword = (hash: string) =>
  db.database.transaction((transaction) =>
    changeSignIn(transaction, { userId }, () =>
      transaction.update(passwords).set({ hash: `$argon2id$${hash}` }),
    ),
  )

const setEmail = (email: string) =>
  db.database.transaction((transaction) =>
    changeSignIn(transaction, { userId }, () =>
      transaction.update(users).set({ email }).where(eq(users.id, userId)),
    ),
  )

const history = () => listChanges(db.database, userId)

test('a change is stored with what it added and removed, and without a secret in the clear', async () => {
  await setPassword('second hash')
  const [change] = await history()
  expect(change).toMatchObject({
    email: 'a@example.com',
    newEmail: 'a@example.com',
    added: [{ kind: 'password' }],
    removed: [{ kind: 'password' }],
    link: 'open',
  })
  expect(change?.added[0]?.id).not.toBe(change?.removed[0]?.id)
  const rows = await db.database.select().from(accountChanges)
  expect(JSON.stringify(rows)).not.toContain('first hash')
  expect(change?.removed).toMatchObject([{ rows: [{ hash: '$argon2id$first hash' }] }])
})

test('a transaction that changes no method writes nothing', async () => {
  await db.database.transaction((transaction) =>
    changeSignIn(transaction, { userId }, () =>
      transaction.update(users).set({ name: 'Another' }).where(eq(users.id, userId)),
    ),
  )
  expect(await history()).toEqual([])
  expect(await db.database.select().from(mailQueue)).toEqual([])
})

test('removed methods are restored as they were', async () => {
  const account = { provider: 'github', providerAccountId: '1', userId }
  await db.database.insert(accounts).values(account)
  const before = await snapshot(db.database, userId)
  expect(before.map(({ kind, name }) => [kind, name])).toEqual([
    ['password', null],
    ['provider', 'github'],
  ])
  await db.database.transaction(async (transaction) => {
    await removeMethods(transaction, userId, before)
    expect(await snapshot(transaction, userId)).toEqual([])
    await restoreMethods(transaction, before)
  })
  expect(await snapshot(db.database, userId)).toEqual(before)
})

test('each notice has its own link to the email before the change, which stays', async () => {
  await setEmail('b@example.com')
  await setPassword('second hash')
  const queued = await db.database.select().from(mailQueue).orderBy(mailQueue.id)
  expect(queued.map(({ email }) => email)).toEqual(['a@example.com', 'b@example.com'])
  const messages = []
  for (const mail of queued) messages.push(await recoveryMail.account_changed(mail))
  // The reader of a mailbox that was left does not learn the new email.
  expect(messages[0]?.text).not.toContain('b@example.com')
  const tokens = messages.map((message) => /token=([\w-]{43})/.exec(message?.text ?? '')?.[1] ?? '')
  const stored = await db.database.select().from(accountChanges).orderBy(accountChanges.position)
  expect(stored.map(({ tokenHash }) => tokenHash)).toEqual(tokens.map(hashToken))
  const [first] = queued
  const again = first && (await recoveryMail.account_changed(first))
  expect(again?.text).toBe(messages[0]?.text)
})

test('a link ends seven days after its delivery, or with a later change', async () => {
  await setPassword('second hash')
  const ends = async () =>
    (await db.database.select().from(accountChanges).orderBy(accountChanges.position)).map(
      ({ endsAt, at }) => ((endsAt?.getTime() ?? 0) - at.getTime()) / (24 * 60 * 60 * 1000),
    )
  expect(await ends()).toEqual([8])
  const [mail] = await db.database.select().from(mailQueue)
  const message = mail && (await recoveryMail.account_changed(mail))
  await message?.onDelivered?.()
  const [delivered = 0] = await ends()
  expect(delivered).toBeGreaterThanOrEqual(7)
  expect(delivered).toBeLessThan(7.01)
  await setPassword('third hash')
  const [extended = 0] = await ends()
  expect(extended).toBeGreaterThanOrEqual(8)
})

test('the email that is left by a change back gets a notice without a link', async () => {
  await setEmail('b@example.com')
  await setEmail('a@example.com')
  const [, back] = await db.database.select().from(mailQueue).orderBy(mailQueue.id)
  expect(back?.email).toBe('b@example.com')
  const message = back && (await recoveryMail.account_changed(back))
  expect(message?.text).toContain('changed from b@example.com to another one')
  expect(message?.text).not.toContain('token=')
})

test('an email that was left is reserved while its link is alive', async () => {
  await setEmail('b@example.com')
  const taking = () => db.database.insert(users).values({ email: 'a@example.com', name: 'Thief' })
  await expect(taking()).rejects.toThrow()
  await db.database.update(accountChanges).set({ endsAt: sql`now()` })
  await taking()
})

test('of concurrent changes each sees those before it', async () => {
  await Promise.all(['2', '3', '4', '5'].map(setPassword))
  const changes = await history()
  expect(changes).toHaveLength(4)
  for (const [index, change] of changes.entries()) {
    if (index > 0) expect(change.removed[0]?.id).toBe(changes[index - 1]?.added[0]?.id)
  }
})
