import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createDemoAccounts } from '@/core/auth/demo-accounts'
import { askToResetPassword } from '@/core/auth/reset'
import { askToSignUp } from '@/core/auth/sign-up'
import { hashToken } from '@/core/auth/token'
import { mailQueue, verificationTokens } from '@/core/db/schema'
import { env } from '@/core/env'
import { parseMessage } from '@/core/mail/parse-message'
import { queueMail } from '@/core/mail/queue'
import { sendDueMail } from '@/core/mail/send-due'
import { startMailWorker, stopMailWorker } from '@/core/mail/worker'
import { testDatabase } from '../support/database'
import { keepLog } from '../support/log'
import { newScope } from '../support/scope'
import { linkIn, startSmtpServer, tokenIn } from '../support/smtp-server'

const db = testDatabase()

const defaults = { ...env() }
let smtp: Awaited<ReturnType<typeof startSmtpServer>>

beforeEach(async () => {
  await createDemoAccounts(db.database)
  smtp = await startSmtpServer()
  Object.assign(env(), { SMTP_URL: smtp.url, MAIL_FROM: 'Plinth <hello@example.com>' })
})

afterEach(async () => {
  Object.assign(env(), defaults)
  await db.database.delete(mailQueue)
  await smtp.close()
})

const queued = () => db.database.select().from(mailQueue).orderBy(mailQueue.id)
const makeDue = () => db.database.update(mailQueue).set({ dueAt: sql`now()` })

describe('a message', () => {
  test('has both parts, one recipient and a link that leads here', async () => {
    await askToSignUp(newScope(), 'new@example.com')
    expect(await sendDueMail()).toBe(1)
    const [message] = smtp.taken
    expect(message).toMatchObject({
      recipients: ['new@example.com'],
      subject: 'Finish creating your account',
    })
    expect(message && linkIn(message)).toMatch(/^http:\/\/localhost:3000\/verify\?token=[\w-]{43}$/)
    expect(message?.html).toContain(`href="${message && linkIn(message)}"`)
    expect(message?.html).toContain('prefers-color-scheme: dark')
    expect(message?.html).not.toMatch(/<(img|link|script)\b/)
    expect(await queued()).toEqual([])
  })

  test('carries the only copy of its token: the database has the hash', async () => {
    await askToResetPassword(newScope(), 'viewer@example.com')
    expect(
      await db.database.$count(
        verificationTokens,
        eq(verificationTokens.email, 'viewer@example.com'),
      ),
    ).toBe(0)
    await sendDueMail()
    const token = tokenIn(smtp.taken[0] ?? parseMessage(''))
    const rows = await db.database
      .select({ all: sql<string>`verification_tokens::text` })
      .from(verificationTokens)
    expect(JSON.stringify(rows)).toContain(hashToken(token).toString('hex'))
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  test.each([
    ['sign_up', 'viewer@example.com', 'You already have an account', '/sign-in'],
    ['reset_password', 'viewer@example.com', 'Choose a new password', '/reset?token='],
    ['password_changed', 'viewer@example.com', 'Your password was changed', '/forgot'],
    ['invitation', 'guest@example.com', 'You are invited', '/sign-up?token='],
  ] as const)('%s to %s says: %s', async (purpose, email, subject, leadsTo) => {
    await queueMail(db.database, { purpose, email })
    await sendDueMail()
    expect(smtp.taken).toHaveLength(1)
    expect(smtp.taken[0]).toMatchObject({ recipients: [email], subject })
    expect(smtp.taken[0]?.text).toContain(`http://localhost:3000${leadsTo}`)
  })

  test('is not sent to an address that has nothing to reset, and the ask is forgotten', async () => {
    await askToResetPassword(newScope(), 'nobody@example.com')
    expect(await sendDueMail()).toBe(1)
    expect(smtp.taken).toEqual([])
    expect(await queued()).toEqual([])
  })

  test('waits once for each mailbox and purpose, however often it is asked for', async () => {
    const asks = Array.from({ length: 20 }, () => askToSignUp(newScope(), 'often@example.com'))
    await Promise.all(asks)
    expect(await queued()).toHaveLength(1)
  })
})

describe('a mail server that', () => {
  const failures = [
    ['is down', undefined, 'ESOCKET'],
    ['refuses for now', 'refuse for now', 'EENVELOPE'],
    ['refuses', 'refuse', 'EENVELOPE'],
  ] as const

  test.each(failures)(
    '%s: tried again, logged without the address, sent later',
    async (...given) => {
      const [, mood, fault] = given
      const lines = keepLog()
      if (mood) smtp.behave(mood)
      else await smtp.close()
      await askToResetPassword(newScope(), 'viewer@example.com')
      await sendDueMail()
      const [waiting] = await queued()
      expect(waiting).toMatchObject({ attempts: 1, purpose: 'reset_password' })
      expect(waiting?.dueAt.getTime()).toBeGreaterThan(Date.now() + 20_000)
      expect(lines()).toContainEqual(
        expect.objectContaining({ level: 'warn', purpose: 'reset_password', attempt: 1, fault }),
      )
      expect(await sendDueMail()).toBe(0)

      if (mood) smtp.behave('take')
      else smtp = await startSmtpServer(smtp.port)
      await makeDue()
      await sendDueMail()
      expect(smtp.taken.map(({ recipients }) => recipients)).toEqual([['viewer@example.com']])
      expect(await queued()).toEqual([])
      const text = JSON.stringify(lines())
      expect(text).not.toContain('viewer@example.com')
      expect(text).not.toContain(tokenIn(smtp.taken[0] ?? parseMessage('')))
    },
  )

  test('hangs: nobody who asks waits for it', async () => {
    smtp.behave('say nothing')
    startMailWorker()
    const start = performance.now()
    await askToResetPassword(newScope(), 'viewer@example.com')
    await expect.poll(() => smtp.tries()).toBe(1)
    await askToResetPassword(newScope(), 'editor@example.com')
    expect(performance.now() - start).toBeLessThan(5000)
    await stopMailWorker()
    // What was on its way is still there, for whoever comes next.
    expect(await queued()).toHaveLength(2)
  })

  test('never takes it: given up in the end, and said so', async () => {
    const lines = keepLog()
    smtp.behave('refuse')
    await askToResetPassword(newScope(), 'viewer@example.com')
    for (let attempt = 0; attempt < 16; attempt += 1) {
      expect(await queued()).toHaveLength(1)
      await makeDue()
      await sendDueMail()
    }
    expect(await queued()).toEqual([])
    expect(lines().at(-1)).toMatchObject({ level: 'error', msg: 'mail given up', attempt: 16 })
  })
})

test('the worker sends what is asked for, at once', async () => {
  startMailWorker()
  await askToSignUp(newScope(), 'soon@example.com')
  await expect.poll(() => smtp.taken.length).toBe(1)
  await stopMailWorker()
  expect(await queued()).toEqual([])
})

test('several workers at once send each message once', async () => {
  const people = Array.from({ length: 30 }, (_, index) => `person${index}@example.com`)
  for (const email of people) await queueMail(db.database, { purpose: 'sign_up', email })
  const drain = async () => {
    while ((await sendDueMail()) > 0);
  }
  await Promise.all([drain(), drain(), drain(), drain()])
  expect(smtp.taken.flatMap(({ recipients }) => recipients).sort()).toEqual(people.sort())
})

describe('without SMTP_URL', () => {
  let folder: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'plinth-outbox-'))
    Object.assign(env(), { SMTP_URL: undefined, MAIL_FROM: undefined, DATA_DIR: folder })
  })

  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  test('it is a file for its owner alone, and the log says where', async () => {
    const lines = keepLog()
    await askToSignUp(newScope(), 'new@example.com')
    await sendDueMail()
    const outbox = join(folder, 'outbox')
    const names = readdirSync(outbox)
    expect(names).toHaveLength(1)
    const file = join(outbox, names[0] ?? '')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(outbox).mode & 0o777).toBe(0o700)
    const message = parseMessage(readFileSync(file, 'utf8'))
    expect(message).toMatchObject({
      to: 'new@example.com',
      subject: 'Finish creating your account',
    })
    expect(linkIn(message)).toContain('/verify?token=')
    expect(lines()).toContainEqual(expect.objectContaining({ level: 'info', file }))
    expect(JSON.stringify(lines())).not.toContain('new@example.com')
  })
})
