import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { accountMail } from '#auth/accounts/account-mail'
import { env, isStartupError } from '#config/env'
import { sqlState } from '#db/errors'
import { mailQueue } from '#db/schema'
import { readOutbox } from '#mail/deliver'
import { mail, mailOfModules, queueMail } from '#mail/mail'
import { sendDueMail, startMailWorker, stopMailWorker } from '#mail/worker'
import { start } from '#server/start'
import { testDatabase } from '#testing/database/database'
import { bookmarkShared, bookmarksModule } from '../support/bookmarks-mail'
import { captureLog } from '../support/log'
import { startSmtpServer } from '../support/smtp-server'

const db = testDatabase()
const defaults = { ...env() }
const withBookmarks = { ...accountMail, ...mailOfModules([bookmarksModule]) }
const email = 'reader@example.com'
const bookmarkId = '6b1b36cb-2a54-4d9e-9a2a-9a4b0d8f5b11'

let smtp: Awaited<ReturnType<typeof startSmtpServer>>

beforeEach(async () => {
  smtp = await startSmtpServer()
  Object.assign(env(), { SMTP_URL: smtp.url, MAIL_FROM: 'App <hello@example.com>' })
})

afterEach(async () => {
  Object.assign(env(), defaults)
  await db.database.delete(mailQueue)
  await smtp.close()
})

const queued = () => db.database.select().from(mailQueue).orderBy(mailQueue.id)
const age = (interval: string) =>
  db.database.update(mailQueue).set({ createdAt: sql`now() - ${interval}::interval` })

test('a module’s mail is queued with its data and composed when it is sent', async () => {
  await bookmarkShared.queue(db.database, { email, data: { bookmarkId } })
  expect(await queued()).toMatchObject([
    { purpose: 'bookmarks.shared', email, data: { bookmarkId }, attempts: 0 },
  ])
  expect(await sendDueMail(withBookmarks)).toBe(1)
  expect(smtp.received).toMatchObject([
    { recipients: [email], subject: 'A bookmark was shared with you' },
  ])
  expect(smtp.received[0]?.text).toContain(`http://localhost:3000/bookmarks/${bookmarkId}`)
  expect(smtp.received[0]?.html).toContain('prefers-color-scheme: dark')
  expect(await queued()).toEqual([])
})

test('the worker sends it as soon as the transaction has committed', async () => {
  startMailWorker(withBookmarks)
  await db.database.transaction(async (tx) => {
    await bookmarkShared.queue(tx, { email, data: { bookmarkId } })
    // A wake-up before the commit would find nothing.
    await new Promise((resolve) => setTimeout(resolve, 100))
  })
  await expect.poll(() => smtp.received.length, { timeout: 5000 }).toBe(1)
  await stopMailWorker()
})

test('a transaction that is rolled back sends nothing', async () => {
  const rolledBack = db.database.transaction(async (tx) => {
    await bookmarkShared.queue(tx, { email, data: { bookmarkId } })
    throw new Error('no')
  })
  await expect(rolledBack).rejects.toThrow('no')
  expect(await queued()).toEqual([])
})

test('without SMTP_URL it is in the outbox, which /dev/mailbox shows', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-outbox-'))
  Object.assign(env(), { SMTP_URL: undefined, DATA_DIR: folder })
  await bookmarkShared.queue(db.database, { email, data: { bookmarkId } })
  await sendDueMail(withBookmarks)
  expect(await readOutbox()).toMatchObject([
    { to: email, subject: 'A bookmark was shared with you' },
  ])
  rmSync(folder, { recursive: true, force: true })
})

test('the same data is queued once, other data as another mail', async () => {
  const other = '0f3c2c58-5ef5-4f8f-8a11-0a3c9a1f7b42'
  for (const id of [bookmarkId, other, bookmarkId]) {
    await bookmarkShared.queue(db.database, { email, data: { bookmarkId: id } })
  }
  expect((await queued()).map(({ data }) => data)).toEqual([{ bookmarkId }, { bookmarkId: other }])
  await sendDueMail(withBookmarks)
  expect(smtp.received).toHaveLength(2)
})

test('nothing is sent if compose returns undefined', async () => {
  const gone = mail({ purpose: 'bookmarks.gone', data: z.object({}) }, async () => undefined)
  await gone.queue(db.database, { email, data: {} })
  expect(await sendDueMail(mailOfModules([{ id: 'bookmarks', mail: [gone] }]))).toBe(1)
  expect(smtp.received).toEqual([])
  expect(await queued()).toEqual([])
})

test('invalid data is rejected when it is queued', async () => {
  const queue = bookmarkShared.queue(db.database, { email, data: { bookmarkId: 'x' } })
  await expect(queue).rejects.toThrow('Invalid UUID')
  expect(await queued()).toEqual([])
})

test('invalid data from another version is retried later, with its reason in the log', async () => {
  const lines = captureLog()
  await queueMail(db.database, { purpose: 'bookmarks.shared', email, data: { bookmark: 1 } })
  await sendDueMail(withBookmarks)
  expect(smtp.received).toEqual([])
  expect(await queued()).toMatchObject([{ attempts: 1 }])
  expect(lines()).toMatchObject([{ level: 'warn', msg: 'mail not sent; retrying later' }])
  expect(JSON.stringify(lines())).toContain('bookmarkId')
})

test('the database rejects data that is not small', async () => {
  const data = { text: 'x'.repeat(1000) }
  const insert = queueMail(db.database, { purpose: 'bookmarks.shared', email, data })
  expect(sqlState(await insert.catch((error: unknown) => error))).toBe('23514')
})

test('an unknown purpose is left to other processes for an hour, then dropped with one warning', async () => {
  const lines = captureLog()
  await bookmarkShared.queue(db.database, { email, data: { bookmarkId } })
  await age('59 minutes')
  expect(await sendDueMail(accountMail)).toBe(0)
  expect(await queued()).toMatchObject([{ attempts: 0 }])

  await age('61 minutes')
  expect(await sendDueMail(accountMail)).toBe(1)
  expect(await queued()).toEqual([])
  expect(await sendDueMail(accountMail)).toBe(0)
  expect(lines()).toMatchObject([
    {
      level: 'warn',
      purpose: 'bookmarks.shared',
      msg: 'mail dropped: no module sends this purpose',
    },
  ])
  expect(JSON.stringify(lines())).not.toContain(email)
  expect(smtp.received).toEqual([])
})

test('old mail of an installed module is still sent', async () => {
  await bookmarkShared.queue(db.database, { email, data: { bookmarkId } })
  await age('61 minutes')
  await sendDueMail(withBookmarks)
  expect(smtp.received).toHaveLength(1)
})

test.each([
  [
    'a purpose without the module’s prefix',
    { id: 'notes', mail: [bookmarkShared] },
    'Module notes: the purpose of its mail "bookmarks.shared" must start with "notes.".',
  ],
  [
    'a purpose that is used twice',
    { id: 'bookmarks', mail: [bookmarkShared, bookmarkShared] },
    'Module bookmarks: two mails have the purpose "bookmarks.shared".',
  ],
])('the start fails with %s', async (_, module, message) => {
  start.clear()
  const error = await start([module]).catch((reason: unknown) => reason)
  expect(isStartupError(error)).toBe(true)
  expect((error as Error).message).toBe(message)
})
