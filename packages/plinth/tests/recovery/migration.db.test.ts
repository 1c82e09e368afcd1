import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { hashToken, newToken } from '#auth/sessions/cookie'
import { env } from '#config/env'
import { rowsOf } from '#db/client'
import { accountChanges, accounts, mailQueue, passwords, users } from '#db/schema'
import { recoveryMail } from '#recovery/recovery-mail'
import { viewRecovery } from '#recovery/view'
import { earlierDatabase } from '#testing/database/earlier-database'
import { complete, follow, hashOf, newBrowser } from './test-account'

env().AUTH_SECRET ??= 'only-for-tests-'.repeat(3)
const db = earlierDatabase([], ['/0014_', '/0015_', '/0016_', '/0017_'])

/** With a password and a linked account of long ago, and both again since. */
async function newUser() {
  const [user] = rowsOf<{ id: string }>(
    await db.database.execute(
      sql`insert into users (email, name) values ('a@example.com', 'A') returning id`,
    ),
  )
  const id = user?.id ?? ''
  await db.database.insert(passwords).values({ userId: id, hash: hashOf('of the thief') })
  await db.database.insert(accounts).values([
    { provider: 'github', providerAccountId: 'own', userId: id, createdAt: new Date(2020, 1) },
    { provider: 'google', providerAccountId: 'thief', userId: id },
  ])
  return id
}

async function storeLink(userId: string, expiresIn = '6 days') {
  const token = newToken()
  const hash = hashToken(token).toString('hex')
  await db.database.execute(sql`
    insert into verification_tokens (token_hash, purpose, email, user_id, expires_at)
    values (decode(${hash}, 'hex'), 'secure_account', 'a@example.com', ${userId},
      now() + ${expiresIn}::interval)`)
  return token
}

test('a live link opens a recovery, which removes what is newer', async () => {
  const token = await storeLink(await newUser())
  await db.upgrade()
  const view = await viewRecovery(token, newBrowser())
  expect(view?.timeline.flatMap(({ sentences }) => sentences)).toEqual(
    expect.arrayContaining(['The password was changed.', 'A Google account was linked.']),
  )
  const browser = newBrowser()
  expect(await follow(token, browser)).toEqual({ state: 'waiting' })
  await db.database.execute(sql`update recoveries set ready_at = now() - interval '1 second'`)
  expect(await complete(token, browser, { hash: undefined })).toBeUndefined()
  expect(await complete(token, browser)).toMatchObject({ email: 'a@example.com' })
  const linked = await db.database.select().from(accounts)
  expect(linked.map(({ providerAccountId }) => providerAccountId)).toEqual(['own'])
  const [password] = await db.database.select().from(passwords)
  expect(password?.hash).toBe(hashOf('new'))
})

test('a link that has ended opens nothing', async () => {
  const token = await storeLink(await newUser(), '-1 second')
  await db.upgrade()
  expect(await follow(token)).toBeUndefined()
  expect(await db.database.$count(accountChanges)).toBe(0)
})

test('notices that wait in the queue are sent with a link that works', async () => {
  await newUser()
  await db.database.execute(sql`insert into mail_queue (purpose, email, data) values
    ('password_changed', 'a@example.com', '{}'),
    ('account_linked', 'a@example.com', '{"provider": "google", "name": "Google"}'),
    ('password_changed', 'deleted@example.com', '{}'),
    ('reset_password', 'a@example.com', '{}')`)
  await db.upgrade()
  const queued = await db.database.select().from(mailQueue).orderBy(mailQueue.id)
  expect(queued.map(({ purpose }) => purpose)).toEqual([
    ...Array.from({ length: 3 }, () => 'account_changed'),
    'reset_password',
  ])
  const messages = []
  for (const mail of queued.slice(0, 3)) messages.push(await recoveryMail.account_changed(mail))
  // The last notice belongs to an account that does not exist.
  expect(messages.pop()).toBeUndefined()
  for (const message of messages) {
    const [, token] = /\/recover\?token=([\w-]{43})/.exec(message?.text ?? '') ?? []
    expect(await viewRecovery(token, newBrowser())).toMatchObject({ state: 'new' })
  }
  const [user] = await db.database.select().from(users)
  const changes = await db.database.select().from(accountChanges)
  expect(changes.map(({ userId }) => userId)).toEqual([user?.id, user?.id])
})

test('mail that was given up can be sent again', async () => {
  await newUser()
  await db.database.execute(sql`insert into failed_mail
    (id, purpose, email, data, created_at, attempts, reason)
    values (1, 'password_changed', 'a@example.com', '{}', now() - interval '1 day', 16, 'test')`)
  await db.upgrade()
  const [failed] = rowsOf<{ purpose: string; data: unknown }>(
    await db.database.execute(sql`select purpose, data from failed_mail`),
  )
  expect(failed?.purpose).toBe('account_changed')
  const mail = { email: 'a@example.com', data: failed?.data }
  expect((await recoveryMail.account_changed(mail))?.text).toContain('/recover?token=')
})
