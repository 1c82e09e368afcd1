import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { auditEvents, mailQueue, users, verificationTokens } from '@/core/db/schema'
import { freshDatabase, openPlace, type Place } from '../support/database'
import { submitForm } from '../support/form'
import { type Server, startServer } from '../support/server'
import { linkIn, startSmtpServer } from '../support/smtp-server'

// The server is started again and again, to look at its database meanwhile.
vi.setConfig({ testTimeout: 120_000 })

const password = 'a few words in a row'
let place: Place
let server: Server
let smtp: Awaited<ReturnType<typeof startSmtpServer>>

const settings = () => ({
  ...place.settings,
  SMTP_URL: smtp.url,
  MAIL_FROM: 'Plinth <hello@example.com>',
  TRUST_PROXY: '1',
})

beforeAll(async () => {
  place = await freshDatabase()
  smtp = await startSmtpServer()
  server = await startServer(settings())
})

afterAll(async () => {
  await server.stop()
  await smtp.close()
  await place.remove()
})

let callers = 0
function newCaller(): Record<string, string> {
  callers += 1
  return { 'x-forwarded-for': `203.0.113.${callers}`, 'user-agent': 'test' }
}

const ask = (email: string, headers = newCaller(), path = '/sign-up') =>
  submitForm(`${server.url}${path}`, { email }, headers)

const mailTo = (email: string) => smtp.taken.filter(({ recipients }) => recipients.includes(email))

async function linkTo(email: string): Promise<string> {
  await expect.poll(() => mailTo(email).length, { timeout: 15_000 }).toBeGreaterThan(0)
  const newest = mailTo(email).at(-1)
  const { pathname, search } = new URL(newest ? linkIn(newest) : '')
  return `${server.url}${pathname}${search}`
}

/** The embedded database has one user at a time: it is looked at while the server is away. */
async function whileStopped<Result>(
  look: (connection: Awaited<ReturnType<typeof openPlace>>) => Promise<Result>,
): Promise<Result> {
  expect(await server.stop()).toBe(0)
  const connection = await openPlace(place)
  try {
    return await look(connection)
  } finally {
    await connection.close()
    server = await startServer(settings())
  }
}

const rows = () =>
  whileStopped(async ({ database }) => ({
    users: await database.$count(users),
    links: await database.$count(verificationTokens),
    waiting: await database.$count(mailQueue),
  }))

test('fifty forms at once, one address in different case: one message, one account', async () => {
  const before = await rows()
  const spellings = Array.from({ length: 50 }, (_, index) =>
    [...'fifty@example.com']
      .map((letter, place) => ((index >> (place % 6)) & 1 ? letter.toUpperCase() : letter))
      .join(''),
  )
  const answers = await Promise.all(spellings.map((email) => ask(email)))
  expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
  const pages = await Promise.all(answers.map((answer) => answer.text()))
  const asked = pages.filter((page) => page.includes('Check your mail'))
  const refused = pages.filter((page) => page.includes('Mail was asked for too often'))
  expect([asked.length, refused.length]).toEqual([10, 40])

  const link = await linkTo('fifty@example.com')
  const finished = await Promise.all(
    Array.from({ length: 10 }, () => submitForm(link, { name: 'Fifty', password }, newCaller())),
  )
  expect(finished.filter(({ status }) => status === 303)).toHaveLength(1)
  expect(finished.every(({ status }) => status === 303 || status === 200)).toBe(true)
  expect(await rows()).toEqual({ ...before, users: before.users + 1 })
})

test('an address that has an account and one that has none get the same page', async () => {
  await ask('known@example.com')
  const link = await linkTo('known@example.com')
  expect((await submitForm(link, { name: 'Known', password }, newCaller())).status).toBe(303)
  for (const path of ['/forgot', '/sign-up']) {
    const pages = ['known@example.com', 'never@example.com'].map(async (email) => {
      const answer = await ask(email, newCaller(), path)
      expect(answer.status).toBe(200)
      expect(answer.headers.getSetCookie()).toEqual([])
      const [main] = /<main[\s\S]*<\/main>/.exec(await answer.text()) ?? []
      return main?.replaceAll(email, 'somebody').replaceAll(/<input type="hidden"[^>]*>/g, '')
    })
    const [known, unknown] = await Promise.all(pages)
    expect(known).toContain('Check your mail')
    expect(known).toBe(unknown)
  }
})

test('a form from elsewhere is refused and changes nothing', async () => {
  await expect.poll(() => mailTo('never@example.com').length, { timeout: 15_000 }).toBe(1)
  await expect.poll(() => mailTo('known@example.com').length, { timeout: 15_000 }).toBe(3)
  const before = await rows()
  for (const evidence of [
    { origin: 'https://evil.example' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    { origin: 'null' },
  ]) {
    const answer = await ask('tricked@example.com', { ...newCaller(), ...evidence })
    expect(await answer.text()).not.toContain('Check your mail')
  }
  expect(await rows()).toEqual(before)
  expect(mailTo('tricked@example.com')).toEqual([])
})

test('neither the log nor the trail has a token, an address or a password in it', async () => {
  await ask('quiet@example.com')
  const link = await linkTo('quiet@example.com')
  await fetch(link)
  await submitForm(link, { name: 'Quiet', password }, newCaller())
  const token = new URL(link).searchParams.get('token') ?? ''
  const stopped = server
  const trail = await whileStopped(({ database }) => database.select().from(auditEvents))
  const output = stopped.output()
  for (const text of [output, JSON.stringify(trail)]) {
    expect(text).toContain(text === output ? '"/verify"' : 'sign_up')
    for (const secret of [token, 'quiet@example.com', password]) expect(text).not.toContain(secret)
  }
})

test('a mail server that hangs delays neither the page nor the stop, and nothing is lost', async () => {
  smtp.behave('say nothing')
  const tries = smtp.tries()
  const start = performance.now()
  const answer = await ask('late@example.com')
  expect(await answer.text()).toContain('Check your mail')
  expect(performance.now() - start).toBeLessThan(5000)
  await expect.poll(() => smtp.tries(), { timeout: 15_000 }).toBe(tries + 1)
  const stopping = performance.now()
  expect(await server.stop()).toBe(0)
  expect(performance.now() - stopping).toBeLessThan(9000)

  smtp.behave('take')
  const connection = await openPlace(place)
  expect(await connection.database.$count(mailQueue)).toBe(1)
  // What the process that died had taken on is due again after a while, which is passed over here.
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
    expect(text).toContain('No new accounts')
    expect(text).not.toContain('$ACTION')
    expect(await (await fetch(`${server.url}/sign-in`)).text()).not.toContain('href="/sign-up"')
    const invited = await (await fetch(`${server.url}/sign-up?token=x`)).text()
    expect(invited).toContain('No new accounts')
  })

  test('invite: the page explains, and a dead invitation is told', async () => {
    const { text } = await pageWith('invite', '/sign-up')
    expect(text).toContain('Accounts are by invitation')
    expect(text).not.toContain('$ACTION')
    const dead = await (await fetch(`${server.url}/sign-up?token=x`)).text()
    expect(dead).toContain('Ask whoever invited you for another.')
  })
})
