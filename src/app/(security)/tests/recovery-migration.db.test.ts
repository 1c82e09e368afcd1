import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { hashToken, newToken } from 'plinth/auth/sessions/cookie'
import { env } from 'plinth/config/env'
import { rowsOf } from 'plinth/db/client'
import { accountChanges, mailQueue, recoveries, users } from 'plinth/db/schema'
import { completeRecovery } from 'plinth/recovery/complete-recovery'
import { followRecoveryLink } from 'plinth/recovery/follow-link'
import { installMethodTables } from 'plinth/recovery/methods'
import { recoveryMail } from 'plinth/recovery/recovery-mail'
import { viewRecovery } from 'plinth/recovery/view'
import { earlierDatabase, newScope } from 'plinth/testing'
import { beforeEach, expect, test } from 'vitest'
import { module } from '../module'
import { authenticatorApps, passkeys } from '../schema'

env().AUTH_SECRET ??= 'only-for-tests-'.repeat(3)
const db = earlierDatabase(
  [module],
  ['/0014_', '/0015_', '/0016_', '/0017_', '(security)/migrations/0005_'],
)
const browser = { hash: hashToken(newToken()) }
let userId: string

beforeEach(async () => {
  installMethodTables([module])
  const [user] = rowsOf<{ id: string }>(
    await db.database.execute(
      sql`insert into users (email, name) values ('c@example.com', 'C') returning id`,
    ),
  )
  userId = user?.id ?? ''
})

async function storeUndo(email: string, changedAt: string, token: string | undefined) {
  const id = randomUUID()
  const hash = token ? sql`decode(${hashToken(token).toString('hex')}, 'hex')` : sql`null`
  await db.database.execute(sql`
    insert into email_undos (id, user_id, email, token_hash, changed_at, expires_at)
    values (${id}, ${userId}, ${email}, ${hash}, now() - ${changedAt}::interval,
      now() - ${changedAt}::interval + interval '7 days')`)
  return id
}

const storeFactors = () =>
  db.database.execute(sql`
    with app as (
      insert into authenticator_apps (user_id, secret, key_id, confirmed_at)
      values (${userId}, 'secret', 'key', now() - interval '20 days')
    ) insert into passkeys (id, user_id, name, public_key, counter, synced)
    values ('thief', ${userId}, 'Phone', 'key', 1, false)`)

test('a link that undid a change of the email restores the first of its emails', async () => {
  const [first, second] = [newToken(), newToken()]
  await storeUndo('a@example.com', '2 days', first)
  await storeUndo('b@example.com', '1 day', second)
  await storeUndo('ended@example.com', '8 days', newToken())
  await storeFactors()
  await db.upgrade()
  const view = await viewRecovery(second, browser)
  expect(view).toMatchObject({ email: 'b@example.com', targetEmail: 'a@example.com' })
  expect(view?.timeline.map(({ sentences }) => sentences[0])).toEqual([
    'The email was changed from another one to b@example.com.',
    'The email was changed from b@example.com to another one.',
  ])
  await followRecoveryLink(newScope(), { token: first, browser })
  await db.database.update(recoveries).set({ readyAt: sql`now() - interval '1 second'` })
  const choices = { token: first, browser, hash: undefined, email: undefined, kept: [] }
  expect(await completeRecovery(newScope(), choices)).toMatchObject({ email: 'a@example.com' })
  // Older ones stay: the mailbox alone must not get around them.
  expect(await db.database.$count(passkeys)).toBe(0)
  expect(await db.database.$count(authenticatorApps)).toBe(1)
})

test('an email that was left is reserved', async () => {
  await storeUndo('a@example.com', '2 days', newToken())
  await db.upgrade()
  const taking = db.database.insert(users).values({ email: 'a@example.com', name: 'Other' })
  await expect(taking).rejects.toThrow()
})

test('notices that wait in the queue are sent with a link that works', async () => {
  const changeId = await storeUndo('b@example.com', '1 minute', undefined)
  await storeFactors()
  const queue = (email: string, purpose: string, data: object) =>
    db.database.execute(sql`insert into mail_queue (purpose, email, data)
      values (${purpose}, ${email}, ${JSON.stringify(data)}::jsonb)`)
  await queue('b@example.com', 'security.email_changed', { changeId })
  await queue('c@example.com', 'security.notice', { kind: 'passkey_added', name: 'Phone' })
  await queue('c@example.com', 'security.notice', { kind: 'new_device', name: 'Phone' })
  await queue('d@example.com', 'security.notice', { kind: 'email_restored' })
  await db.upgrade()
  const queued = await db.database.select().from(mailQueue).orderBy(mailQueue.id)
  expect(queued.map(({ purpose }) => purpose)).toEqual([
    'account_changed',
    'account_changed',
    'security.notice',
  ])
  for (const mail of queued.slice(0, 2)) {
    const message = await recoveryMail.account_changed(mail)
    const [, token] = /\/recover\?token=([\w-]{43})/.exec(message?.text ?? '') ?? []
    expect(await viewRecovery(token, browser)).toMatchObject({ email: mail.email, state: 'new' })
  }
  const changes = await db.database.select().from(accountChanges).orderBy(accountChanges.at)
  expect(changes.map(({ added }) => added.map(({ kind }) => kind))).toEqual([
    ['passkey'],
    ['passkey'],
  ])
})
