import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { accountMail } from '#auth/accounts/account-mail'
import { requestResetMail, requestSignUpMail } from '#auth/accounts/sign-up'
import { createDemoAccounts } from '#auth/accounts/users'
import { hashToken } from '#auth/sessions/cookie'
import { env } from '#config/env'
import { failedMail, mailQueue, verificationTokens } from '#db/schema'
import { queueMail } from '#mail/mail'
import { parseMessage } from '#mail/parse-message'
import { deleteOldFailedMail, sendDueMail, startMailWorker, stopMailWorker } from '#mail/worker'
import { enableMetrics, readMetrics } from '#metrics/metrics'
import { testDatabase } from '#testing/database/database'
import { newScope } from '#testing/scope'
import { captureLog } from '../support/log'
import { linkIn, startSmtpServer, tokenIn } from '../support/smtp-server'

const db = testDatabase()

const defaults = { ...env() }
let smtp: Awaited<ReturnType<typeof startSmtpServer>>

beforeEach(async () => {
  await createDemoAccounts(db.database)
  smtp = await startSmtpServer()
  Object.assign(env(), { SMTP_URL: smtp.url, MAIL_FROM: 'App <hello@example.com>' })
})

afterEach(async () => {
  Object.assign(env(), defaults)
  await db.database.delete(mailQueue)
  await smtp.close()
})

const queued = () => db.database.select().from(mailQueue).orderBy(mailQueue.id)
const makeDue = () => db.database.update(mailQueue).set({ dueAt: sql`now()` })

describe('a message', () => {
  test('has HTML and text, one recipient and a link to this application', async () => {
    await requestSignUpMail(newScope(), 'new@example.com')
    expect(await sendDueMail(accountMail)).toBe(1)
    const [message] = smtp.received
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

  test('contains the only copy of its token; the database has the hash', async () => {
    await requestResetMail(newScope(), 'viewer@example.com')
    expect(
      await db.database.$count(
        verificationTokens,
        eq(verificationTokens.email, 'viewer@example.com'),
      ),
    ).toBe(0)
    await sendDueMail(accountMail)
    const token = tokenIn(smtp.received[0] ?? { text: '' })
    const rows = await db.database
      .select({ all: sql<string>`verification_tokens::text` })
      .from(verificationTokens)
    expect(JSON.stringify(rows)).toContain(hashToken(token).toString('hex'))
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  test.each([
    ['sign_up', 'viewer@example.com', 'You already have an account', '/sign-in'],
    ['reset_password', 'viewer@example.com', 'Reset your password', '/reset?token='],
    ['invitation', 'guest@example.com', 'You have been invited', '/sign-up?token='],
  ] as const)('for %s to %s has the subject: %s', async (purpose, email, subject, path) => {
    await queueMail(db.database, { purpose, email })
    await sendDueMail(accountMail)
    expect(smtp.received).toHaveLength(1)
    expect(smtp.received[0]).toMatchObject({ recipients: [email], subject })
    expect(smtp.received[0]?.text).toContain(`http://localhost:3000${path}`)
  })

  test('leads on to the page where the user wanted to go', async () => {
    await requestSignUpMail(newScope(), 'new@example.com', '/articles?page=2')
    await requestResetMail(newScope(), 'viewer@example.com', '/articles?page=2')
    await requestSignUpMail(newScope(), 'editor@example.com', '/articles?page=2')
    expect(await sendDueMail(accountMail)).toBe(3)
    const query = new URLSearchParams({ callbackUrl: '/articles?page=2' }).toString()
    const texts = smtp.received.map(({ text }) => text)
    expect(texts.find((text) => text.includes('/verify?'))).toMatch(`&${query}`)
    expect(texts.find((text) => text.includes('/reset?'))).toMatch(`&${query}`)
    expect(texts.find((text) => text.includes('/sign-in?'))).toMatch(`/sign-in?${query}`)
  })

  test('is not sent to an email without an account, and leaves the queue', async () => {
    await requestResetMail(newScope(), 'unknown@example.com')
    expect(await sendDueMail(accountMail)).toBe(1)
    expect(smtp.received).toEqual([])
    expect(await queued()).toEqual([])
  })

  test('is queued once for each email and purpose', async () => {
    const requests = Array.from({ length: 20 }, () =>
      requestSignUpMail(newScope(), 'repeated@example.com'),
    )
    await Promise.all(requests)
    expect(await queued()).toHaveLength(1)
  })
})

describe('a mail server that', () => {
  const failures = [
    ['is down', undefined, 'ESOCKET'],
    ['rejects temporarily', 'reject temporarily', 'EENVELOPE'],
    ['rejects', 'reject', 'EENVELOPE'],
  ] as const

  test.each(failures)(
    '%s gets the message again later, and the log has no email',
    async (_, behavior, error) => {
      const lines = captureLog()
      if (behavior) smtp.setBehavior(behavior)
      else await smtp.close()
      await requestResetMail(newScope(), 'viewer@example.com')
      await sendDueMail(accountMail)
      const [waiting] = await queued()
      expect(waiting).toMatchObject({ attempts: 1, purpose: 'reset_password' })
      expect(waiting?.dueAt.getTime()).toBeGreaterThan(Date.now() + 20_000)
      expect(lines()).toContainEqual(
        expect.objectContaining({ level: 'warn', purpose: 'reset_password', attempt: 1, error }),
      )
      expect(await sendDueMail(accountMail)).toBe(0)

      if (behavior) smtp.setBehavior('accept')
      else smtp = await startSmtpServer(smtp.port)
      await makeDue()
      await sendDueMail(accountMail)
      expect(smtp.received.map(({ recipients }) => recipients)).toEqual([['viewer@example.com']])
      expect(await queued()).toEqual([])
      const text = JSON.stringify(lines())
      expect(text).not.toContain('viewer@example.com')
      expect(text).not.toContain(tokenIn(smtp.received[0] ?? { text: '' }))
    },
  )

  test('hangs delays no request', async () => {
    smtp.setBehavior('hang')
    startMailWorker(accountMail)
    const start = performance.now()
    await requestResetMail(newScope(), 'viewer@example.com')
    await expect.poll(() => smtp.attempts()).toBe(1)
    await requestResetMail(newScope(), 'editor@example.com')
    expect(performance.now() - start).toBeLessThan(15_000)
    await stopMailWorker()
    // The message that was being sent is still queued for the next worker.
    expect(await queued()).toHaveLength(2)
  })

  test('always rejects is given up on after 16 attempts, with an error in the log', async () => {
    const lines = captureLog()
    smtp.setBehavior('reject')
    await requestResetMail(newScope(), 'viewer@example.com')
    for (let attempt = 0; attempt < 16; attempt += 1) {
      expect(await queued()).toHaveLength(1)
      await makeDue()
      await sendDueMail(accountMail)
    }
    expect(await queued()).toEqual([])
    expect(lines().at(-1)).toMatchObject({
      level: 'error',
      msg: 'mail not sent; giving up',
      attempt: 16,
    })
    expect(await db.database.select().from(failedMail)).toMatchObject([
      { purpose: 'reset_password', email: 'viewer@example.com', attempts: 16 },
    ])
    const [{ reason = '' } = {}] = await db.database.select().from(failedMail)
    // Not the text of the mail server, which repeats the email.
    expect(reason).toMatch(/^EENVELOPE 550 RCPT TO$/)
    expect(await deleteOldFailedMail(10)).toBe(0)
    await db.database.update(failedMail).set({ failedAt: sql`now() - interval '31 days'` })
    expect(await deleteOldFailedMail(10)).toBe(1)
  })
})

describe('a message that is delivered but cannot be removed from the queue', () => {
  beforeEach(async () => {
    enableMetrics()
    await db.database.execute(sql`create function refuse_removal() returns trigger
      language plpgsql as $$ begin raise 'no removal'; end $$`)
    await db.database.execute(sql`create trigger refuse_removal before delete on mail_queue
      for each row execute function refuse_removal()`)
    onTestFinished(allowRemoval)
  })

  const allowRemoval = async () => {
    await db.database.execute(sql`drop function if exists refuse_removal cascade`)
  }

  const deliveries = () => {
    const counts = (result: string) =>
      readMetrics().counters[`plinth_mail_deliveries_total{result="${result}"}`] ?? 0
    return { sent: counts('sent'), retry: counts('retry'), givenUp: counts('given_up') }
  }

  test.each([1, 16])('is counted and logged as delivered at attempt %i', async (attempt) => {
    const lines = captureLog()
    const before = deliveries()
    await queueMail(db.database, { purpose: 'sign_up', email: 'new@example.com' })
    await db.database.update(mailQueue).set({ attempts: attempt - 1 })
    await sendDueMail(accountMail)
    expect(smtp.received).toHaveLength(1)
    expect(deliveries()).toEqual({ ...before, sent: before.sent + 1 })
    expect(lines().map(({ level, msg }) => `${level}: ${msg}`)).toEqual([
      'info: mail sent',
      'error: mail delivered but still queued; it may be sent again',
    ])
    expect(lines().at(-1)).toMatchObject({ purpose: 'sign_up', attempt })
    expect(JSON.stringify(lines())).not.toContain('new@example.com')

    await allowRemoval()
    expect(await sendDueMail(accountMail), 'not immediately').toBe(0)
    await makeDue()
    await sendDueMail(accountMail)
    expect(await queued()).toEqual([])
  })
})

test('the worker sends requested mail immediately', async () => {
  startMailWorker(accountMail)
  await requestSignUpMail(newScope(), 'new@example.com')
  await expect.poll(() => smtp.received.length).toBe(1)
  await stopMailWorker()
  expect(await queued()).toEqual([])
})

test('concurrent workers send each message once', async () => {
  const emails = Array.from({ length: 30 }, (_, index) => `user${index}@example.com`)
  for (const email of emails) await queueMail(db.database, { purpose: 'sign_up', email })
  const drain = async () => {
    while ((await sendDueMail(accountMail)) > 0);
  }
  await Promise.all([drain(), drain(), drain(), drain()])
  expect(smtp.received.flatMap(({ recipients }) => recipients).sort()).toEqual(emails.sort())
})

describe('without SMTP_URL', () => {
  let folder: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'plinth-outbox-'))
    Object.assign(env(), { SMTP_URL: undefined, MAIL_FROM: undefined, DATA_DIR: folder })
  })

  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  test('writes a file that only its owner can read and logs its path', async () => {
    const lines = captureLog()
    await requestSignUpMail(newScope(), 'new@example.com')
    await sendDueMail(accountMail)
    const outbox = join(folder, 'outbox')
    const names = readdirSync(outbox)
    expect(names).toHaveLength(1)
    const file = join(outbox, names[0] ?? '')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(outbox).mode & 0o777).toBe(0o700)
    const message = await parseMessage(readFileSync(file, 'utf8'))
    expect(message).toMatchObject({
      to: 'new@example.com',
      subject: 'Finish creating your account',
    })
    expect(linkIn(message)).toContain('/verify?token=')
    expect(lines()).toContainEqual(expect.objectContaining({ level: 'info', file }))
    expect(JSON.stringify(lines())).not.toContain('new@example.com')
  })
})
