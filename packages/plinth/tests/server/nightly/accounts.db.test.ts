import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditEvents, mailQueue, users, verificationTokens } from '#db/schema'
import {
  type FreshDatabase,
  freshDatabase,
  onPostgres,
  openFresh,
} from '#testing/database/database'
import { submitForm } from '#testing/server/call-action'
import { type Server, startServer } from '#testing/server/server'
import { linkIn, startSmtpServer } from '../../support/smtp-server'

// The server is restarted often, on the embedded database also to read it in between.
const password = 'a few words in a row'
let fresh: FreshDatabase
let server: Server
let smtp: Awaited<ReturnType<typeof startSmtpServer>>

const settings = () => ({
  // A busy machine is slower than the default.
  DATABASE_TIMEOUT_MS: '20000',
  ...fresh.settings,
  SMTP_URL: smtp.url,
  MAIL_FROM: 'App <hello@example.com>',
  TRUST_PROXY: '1',
})

beforeAll(async () => {
  fresh = await freshDatabase()
  smtp = await startSmtpServer()
  server = await startServer(settings())
})

afterAll(async () => {
  await server.stop()
  await smtp.close()
  await fresh.remove()
})

let callers = 0
function newCaller(): Record<string, string> {
  callers += 1
  return { 'x-forwarded-for': `203.0.113.${callers}`, 'user-agent': 'test' }
}

const requestMail = (email: string, headers = newCaller(), path = '/sign-up') =>
  submitForm(`${server.url}${path}`, { email }, headers)

const mailTo = (email: string) =>
  smtp.received.filter(({ recipients }) => recipients.includes(email))

async function linkTo(email: string): Promise<string> {
  await expect.poll(() => mailTo(email).length, { timeout: 15_000 }).toBeGreaterThan(0)
  const newest = mailTo(email).at(-1)
  const { pathname, search } = new URL(newest ? linkIn(newest) : '')
  return `${server.url}${pathname}${search}`
}

/** Only one process can open the embedded database, so there the server is stopped. */
async function withConnection<Result>(
  read: (connection: Awaited<ReturnType<typeof openFresh>>) => Promise<Result>,
): Promise<Result> {
  if (!onPostgres) expect(await server.stop()).toBe(0)
  const connection = await openFresh(fresh)
  try {
    return await read(connection)
  } finally {
    await connection.close()
    if (!onPostgres) server = await startServer(settings())
  }
}

const rows = () =>
  withConnection(async ({ database }) => ({
    users: await database.$count(users),
    links: await database.$count(verificationTokens),
    queued: await database.$count(mailQueue),
  }))

test('fifty concurrent forms with spellings of one email send one message and create one account', async () => {
  const before = await rows()
  const spellings = Array.from({ length: 50 }, (_, index) =>
    [...'fifty@example.com']
      .map((letter, position) => ((index >> (position % 6)) & 1 ? letter.toUpperCase() : letter))
      .join(''),
  )
  const responses = await Promise.all(spellings.map((email) => requestMail(email)))
  expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(200))
  const pages = await Promise.all(responses.map((response) => response.text()))
  const accepted = pages.filter((page) => page.includes('Check your email'))
  const limited = pages.filter((page) => page.includes('Too many emails requested'))
  expect([accepted.length, limited.length]).toEqual([10, 40])

  const link = await linkTo('fifty@example.com')
  const finished = await Promise.all(
    Array.from({ length: 10 }, () => submitForm(link, { name: 'Fifty', password }, newCaller())),
  )
  expect(finished.filter(({ status }) => status === 303)).toHaveLength(1)
  expect(finished.every(({ status }) => status === 303 || status === 200)).toBe(true)
  expect(await rows()).toEqual({ ...before, users: before.users + 1 })
})

test('an email with an account and one without get the same page', async () => {
  await requestMail('registered@example.com')
  const link = await linkTo('registered@example.com')
  expect((await submitForm(link, { name: 'Registered', password }, newCaller())).status).toBe(303)
  for (const path of ['/forgot', '/sign-up']) {
    const pages = ['registered@example.com', 'unknown@example.com'].map(async (email) => {
      const response = await requestMail(email, newCaller(), path)
      expect(response.status).toBe(200)
      expect(response.headers.getSetCookie()).toEqual([])
      const [main] = /<main[\s\S]*<\/main>/.exec(await response.text()) ?? []
      return main?.replaceAll(email, 'EMAIL').replaceAll(/<input type="hidden"[^>]*>/g, '')
    })
    const [registered, unknown] = await Promise.all(pages)
    expect(registered).toContain('Check your email')
    expect(registered).toBe(unknown)
  }
})

test('a cross-origin form is rejected and changes nothing', async () => {
  await expect.poll(() => mailTo('unknown@example.com').length, { timeout: 15_000 }).toBe(1)
  await expect.poll(() => mailTo('registered@example.com').length, { timeout: 15_000 }).toBe(3)
  const before = await rows()
  for (const origin of [
    { origin: 'https://evil.example' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    { origin: 'null' },
  ]) {
    const response = await requestMail('victim@example.com', { ...newCaller(), ...origin })
    expect(await response.text()).not.toContain('Check your email')
  }
  expect(await rows()).toEqual(before)
  expect(mailTo('victim@example.com')).toEqual([])
})

test('neither the log nor the audit log contains a token, an email or a password', async () => {
  await requestMail('secret@example.com')
  const link = await linkTo('secret@example.com')
  await fetch(link)
  await submitForm(link, { name: 'User', password }, newCaller())
  const token = new URL(link).searchParams.get('token') ?? ''
  const stopped = server
  const events = await withConnection(({ database }) => database.select().from(auditEvents))
  const output = stopped.output()
  for (const text of [output, JSON.stringify(events)]) {
    expect(text).toContain(text === output ? '"/verify"' : 'sign_up')
    for (const secret of [token, 'secret@example.com', password]) expect(text).not.toContain(secret)
  }
})

test('a hanging mail server delays neither the page nor the shutdown, and loses no mail', async () => {
  smtp.setBehavior('hang')
  const attempts = smtp.attempts()
  const start = performance.now()
  const response = await requestMail('late@example.com')
  expect(await response.text()).toContain('Check your email')
  expect(performance.now() - start).toBeLessThan(20_000)
  await expect.poll(() => smtp.attempts(), { timeout: 15_000 }).toBe(attempts + 1)
  const stoppedAt = performance.now()
  expect(await server.stop()).toBe(0)
  expect(performance.now() - stoppedAt).toBeLessThan(9000)

  smtp.setBehavior('accept')
  const connection = await openFresh(fresh)
  expect(await connection.database.$count(mailQueue)).toBe(1)
  // The claim of the stopped process expires later; the test does not wait for that.
  await connection.database.update(mailQueue).set({ dueAt: new Date() })
  await connection.close()
  server = await startServer(settings())
  await linkTo('late@example.com')
  expect(mailTo('late@example.com')).toHaveLength(1)
})

describe('SIGN_UP', () => {
  const pageWith = async (mode: string, path: string) => {
    await server.stop()
    server = await startServer({ ...settings(), SIGN_UP: mode })
    const page = await fetch(`${server.url}${path}`)
    return { status: page.status, text: await page.text() }
  }

  test('closed: the page says so, and the sign-in page has no link to it', async () => {
    const { status, text } = await pageWith('closed', '/sign-up')
    expect(status).toBe(200)
    expect(text).toContain('Sign-up is closed')
    expect(text).not.toContain('$ACTION')
    expect(await (await fetch(`${server.url}/sign-in`)).text()).not.toContain('href="/sign-up"')
    const invited = await (await fetch(`${server.url}/sign-up?token=x`)).text()
    expect(invited).toContain('Sign-up is closed')
  })

  test('invite: the page explains it, and an invalid invitation is reported', async () => {
    const { text } = await pageWith('invite', '/sign-up')
    expect(text).toContain('Sign-up is by invitation only')
    expect(text).not.toContain('$ACTION')
    const invalid = await (await fetch(`${server.url}/sign-up?token=x`)).text()
    expect(invalid).toContain('Ask an admin for a new invitation.')
  })
})
