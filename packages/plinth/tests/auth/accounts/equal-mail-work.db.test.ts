import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { accountMail } from '#auth/accounts/account-mail'
import { createDemoAccounts } from '#auth/accounts/users'
import { env } from '#config/env'
import { verificationTokens } from '#db/schema'
import { queueMail } from '#mail/mail'
import { sendDueMail } from '#mail/worker'
import { testDatabase } from '#testing/database/database'
import { captureLog } from '../../support/log'
import { startSmtpServer } from '../../support/smtp-server'

/**
 * Mail is composed in the process that serves requests, so the latency of other requests reveals how
 * much work it takes. `npm run bench -- mail-enumeration` measures it.
 */
const db = testDatabase()

// The emails have one length, so that the messages have one too.
const emails = { known: 'viewer@example.com', unknown: 'nobody@example.com' }

const defaults = { ...env() }

beforeAll(() => createDemoAccounts(db.database))

beforeEach(async () => {
  await db.database.delete(verificationTokens)
})

afterEach(() => {
  Object.assign(env(), defaults)
  vi.restoreAllMocks()
})

const storedLinks = () =>
  db.database
    .select({ email: verificationTokens.email, purpose: verificationTokens.purpose })
    .from(verificationTokens)

const methods = ['select', 'insert', 'update', 'delete', 'execute', 'transaction'] as const

/** The message and the number of queries of each kind. */
async function compose(purpose: 'reset_password' | 'sign_up', email: string) {
  const spies = methods.map((method) => vi.spyOn(db.database, method))
  const message = await accountMail[purpose]({ email, data: null })
  const queries = spies.map((spy) => spy.mock.calls.length)
  vi.restoreAllMocks()
  if (!message) throw new Error(`No message was composed for ${email}.`)
  return { message, queries }
}

describe('a reset link for an unknown email', () => {
  test('takes the same queries and the same message, and is not stored', async () => {
    const unknown = await compose('reset_password', emails.unknown)
    expect(await storedLinks()).toEqual([])
    const known = await compose('reset_password', emails.known)
    expect(await storedLinks()).toEqual([{ email: emails.known, purpose: 'reset_password' }])
    expect(unknown.queries).toEqual(known.queries)
    expect(unknown.message.subject).toBe(known.message.subject)
    expect(unknown.message.html).toHaveLength(known.message.html.length)
    expect([known.message.discard, unknown.message.discard]).toEqual([undefined, true])
  })

  test('connects to the mail server and sends nothing', async () => {
    const smtp = await startSmtpServer()
    Object.assign(env(), { SMTP_URL: smtp.url })
    const lines = captureLog()
    await queueMail(db.database, { purpose: 'reset_password', email: emails.unknown })
    expect(await sendDueMail(accountMail)).toBe(1)
    expect(smtp.connections()).toBe(1)
    expect(smtp.received).toEqual([])
    expect(lines()).toContainEqual(
      expect.objectContaining({ msg: 'mail discarded', purpose: 'reset_password' }),
    )
    await smtp.close()
  })

  test('leaves no file without a mail server', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'plinth-outbox-'))
    Object.assign(env(), { SMTP_URL: undefined, DATA_DIR: folder })
    await queueMail(db.database, { purpose: 'reset_password', email: emails.unknown })
    expect(await sendDueMail(accountMail)).toBe(1)
    expect(readdirSync(join(folder, 'outbox'))).toEqual([])
    rmSync(folder, { recursive: true })
  })
})

test('a sign-up takes the same queries for an email that has an account', async () => {
  const known = await compose('sign_up', emails.known)
  expect(await storedLinks()).toEqual([])
  const unknown = await compose('sign_up', emails.unknown)
  expect(await storedLinks()).toEqual([{ email: emails.unknown, purpose: 'verify_email' }])
  expect(known.queries).toEqual(unknown.queries)
  expect([known.message.discard, unknown.message.discard]).toEqual([undefined, undefined])
})
