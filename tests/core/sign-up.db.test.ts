import { desc, eq } from 'drizzle-orm'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDemoAccounts } from '@/core/auth/demo-accounts'
import { emailField } from '@/core/auth/fields'
import { createLink, findLink } from '@/core/auth/links'
import { hashPassword } from '@/core/auth/password'
import { findSession } from '@/core/auth/sessions'
import { signInWithPassword } from '@/core/auth/sign-in'
import { askToSignUp, finishSignUp } from '@/core/auth/sign-up'
import { storePassword } from '@/core/auth/store-password'
import {
  auditEvents,
  mailQueue,
  passwords,
  sessions,
  users,
  verificationTokens,
} from '@/core/db/schema'
import { env } from '@/core/env'
import { sendDueMail } from '@/core/mail/send-due'
import { testDatabase } from '../support/database'
import { newScope } from '../support/scope'
import { startSmtpServer, tokenIn } from '../support/smtp-server'

const db = testDatabase()

const password = 'a few words in a row'
const defaults = { ...env() }
let smtp: Awaited<ReturnType<typeof startSmtpServer>>

beforeAll(() => createDemoAccounts(db.database))

beforeEach(async () => {
  smtp = await startSmtpServer()
  Object.assign(env(), { SMTP_URL: smtp.url, MAIL_FROM: 'hello@example.com' })
})

afterEach(async () => {
  Object.assign(env(), defaults)
  await smtp.close()
  await db.database.delete(mailQueue)
})

const linkFor = (email: string) => createLink(db.database, 'verify_email', { email, userId: null })

const finish = (token: string, changes = {}, scope = newScope()) =>
  finishSignUp(scope, 'verify_email', { token, name: 'Ann', password, ...changes }, 'test')

const counts = async () => ({
  users: await db.database.$count(users),
  passwords: await db.database.$count(passwords),
  sessions: await db.database.$count(sessions),
  links: await db.database.$count(verificationTokens),
})

async function lastEvents(count: number) {
  const events = db.database.select().from(auditEvents).orderBy(desc(auditEvents.id))
  return (await events.limit(count)).reverse()
}

describe('asking', () => {
  test('makes no account: only whoever reads the mail can', async () => {
    const before = await counts()
    await askToSignUp(newScope(), 'new@example.com')
    await sendDueMail()
    expect(await counts()).toEqual({ ...before, links: before.links + 1 })
  })

  test('does and answers the same for an address that has an account and one that has none', async () => {
    const before = await counts()
    const answers = []
    for (const email of ['viewer@example.com', 'unknown@example.com']) {
      answers.push(await askToSignUp(newScope(), email))
    }
    expect(answers[0]).toEqual(answers[1])
    expect(await counts()).toEqual(before)
    const waiting = await db.database.select().from(mailQueue)
    expect(waiting.map(({ purpose }) => purpose)).toEqual(['sign_up', 'sign_up'])
  })

  test('is in the audit trail without what was typed', async () => {
    const scope = newScope()
    await askToSignUp(scope, 'typed-by-somebody@example.com')
    const [event] = await lastEvents(1)
    expect(event).toMatchObject({
      action: 'ask_sign_up',
      outcome: 'success',
      actorId: null,
      address: scope.address,
      requestId: scope.requestId,
    })
    expect(JSON.stringify(event)).not.toContain('typed-by-somebody')
  })

  test('fifty at once with one address in different case: one message, one account', async () => {
    const spellings = Array.from({ length: 50 }, (_, index) =>
      [...'fifty@example.com']
        .map((letter, place) => ((index >> (place % 6)) & 1 ? letter.toUpperCase() : letter))
        .join(''),
    )
    const answers = await Promise.all(
      spellings.map((typed) => askToSignUp(newScope(), emailField.parse(typed))),
    )
    expect(answers.filter(({ allowed }) => allowed)).toHaveLength(10)
    await sendDueMail()
    expect(smtp.taken).toHaveLength(1)
    const [message] = smtp.taken
    const token = message ? tokenIn(message) : ''
    const before = await counts()
    const done = await Promise.all(Array.from({ length: 10 }, () => finish(token)))
    expect(done.filter(({ outcome }) => outcome === 'done')).toHaveLength(1)
    expect(done.filter(({ outcome }) => outcome === 'dead_link')).toHaveLength(9)
    expect(await counts()).toEqual({
      users: before.users + 1,
      passwords: before.passwords + 1,
      sessions: before.sessions + 1,
      links: before.links - 1,
    })
  })
})

describe('how often', () => {
  const ask = (scope: ReturnType<typeof newScope>, email: string) => askToSignUp(scope, email)

  test('five times an hour for one mailbox from one address', async () => {
    const scope = newScope()
    for (let count = 0; count < 5; count += 1) {
      expect((await ask(scope, 'pair@example.com')).allowed).toBe(true)
    }
    await db.database.delete(mailQueue)
    const refused = await ask(scope, 'pair@example.com')
    expect(refused).toMatchObject({ allowed: false, limit: 5, remaining: 0 })
    expect(refused.seconds).toBeGreaterThan(3500)
    expect(await db.database.$count(mailQueue)).toBe(0)
    expect((await lastEvents(1))[0]).toMatchObject({ action: 'ask_sign_up', outcome: 'denied' })
    expect((await ask(scope, 'another@example.com')).allowed).toBe(true)
    expect((await ask(newScope(), 'pair@example.com')).allowed).toBe(true)
  })

  test('ten times an hour for one mailbox, from wherever', async () => {
    for (let count = 0; count < 10; count += 1) {
      expect((await ask(newScope(), 'flooded@example.com')).allowed).toBe(true)
    }
    expect((await ask(newScope(), 'flooded@example.com')).allowed).toBe(false)
  })

  test('twenty times an hour from one address; the same for mailboxes that have an account', async () => {
    const scope = newScope()
    for (let count = 0; count < 20; count += 1) {
      expect((await ask(scope, `person${count}@example.com`)).allowed).toBe(true)
    }
    const known = await ask(scope, 'viewer@example.com')
    const unknown = await ask(scope, 'unknown@example.com')
    expect({ ...known, seconds: 0 }).toEqual({ ...unknown, seconds: 0 })
    expect(known.allowed).toBe(false)
  })
})

describe('the last step', () => {
  test('makes a verified viewer with that name and password, signed in', async () => {
    const scope = newScope()
    const result = await finish(await linkFor('ann@example.com'), {}, scope)
    if (result.outcome !== 'done') throw new Error(result.outcome)
    const { token, session } = result.created
    expect(session.user).toMatchObject({ email: 'ann@example.com', name: 'Ann', role: 'viewer' })
    expect((await findSession(token))?.user.id).toBe(session.user.id)
    const [row] = await db.database.select().from(users).where(eq(users.id, session.user.id))
    expect(row?.emailVerifiedAt).toBeInstanceOf(Date)
    const typed = { email: 'ann@example.com', password }
    expect(await signInWithPassword(newScope(), typed, undefined)).toBeDefined()
    const trail = await lastEvents(4)
    const own = { actorId: session.user.id, targetId: session.user.id, outcome: 'success' }
    const here = { address: scope.address, requestId: scope.requestId }
    expect(trail.slice(0, 3)).toMatchObject([
      { action: 'sign_up', ...own, ...here, details: { by: 'verify_email' } },
      { action: 'verify_email', ...own, ...here },
      { action: 'sign_in', ...own, ...here },
    ])
  })

  test.each(['', 'A'.repeat(43)])('with a link that is none changes nothing: %j', async (token) => {
    const before = await counts()
    expect(await finish(token)).toEqual({ outcome: 'dead_link' })
    expect(await counts()).toEqual(before)
    expect((await lastEvents(1))[0]).toMatchObject({ action: 'sign_up', outcome: 'failure' })
  })

  test('with a password that is too easy changes nothing, and the link still works', async () => {
    const token = await linkFor('easy@example.com')
    const before = await counts()
    expect(await finish(token, { password: 'password123' })).toMatchObject({ outcome: 'too_easy' })
    expect(await finish(token, { password: 'Easy@Example.com' })).toMatchObject({
      outcome: 'too_easy',
      message: expect.stringContaining('e-mail address'),
    })
    expect(await counts()).toEqual(before)
    expect(await finish(token)).toMatchObject({ outcome: 'done' })
  })

  test('for an address that got an account meanwhile leaves that account as it is', async () => {
    const token = await linkFor('meanwhile@example.com')
    await db.database.insert(users).values({ email: 'meanwhile@example.com', name: 'Owner' })
    const before = await counts()
    expect(await finish(token, { name: 'Somebody else' })).toEqual({ outcome: 'taken' })
    expect(await counts()).toEqual({ ...before, links: before.links - 1 })
    const [owner] = await db.database
      .select()
      .from(users)
      .where(eq(users.email, 'meanwhile@example.com'))
    expect(owner).toMatchObject({ name: 'Owner', emailVerifiedAt: null })
  })
})

describe('who may', () => {
  const invite = (email: string) => createLink(db.database, 'invitation', { email, userId: null })
  const accept = (token: string) =>
    finishSignUp(newScope(), 'invitation', { token, name: 'Guest', password }, undefined)

  test('with SIGN_UP=invite those who are invited', async () => {
    Object.assign(env(), { SIGN_UP: 'invite' })
    const before = await counts()
    const own = await linkFor('uninvited@example.com')
    expect(await finish(own)).toEqual({ outcome: 'dead_link' })
    expect((await counts()).users).toBe(before.users)
    const token = await invite('guest@example.com')
    expect(await accept(token)).toMatchObject({ outcome: 'done' })
    expect(await accept(token)).toEqual({ outcome: 'dead_link' })
  })

  test('with SIGN_UP=closed nobody; a link stays for when it is open again', async () => {
    const token = await invite('later@example.com')
    Object.assign(env(), { SIGN_UP: 'closed' })
    const before = await counts()
    expect(await accept(token)).toEqual({ outcome: 'dead_link' })
    expect(await counts()).toEqual(before)
    expect(await findLink('invitation', token)).toBeDefined()
  })
})

test('an account whose address nobody has proved cannot be signed in to with a password', async () => {
  const [user] = await db.database
    .insert(users)
    .values({ email: 'unproved@example.com', name: 'Unproved' })
    .returning({ id: users.id })
  await storePassword(db.database, user?.id ?? '', await hashPassword(password))
  const before = await counts()
  const typed = { email: 'unproved@example.com', password }
  expect(await signInWithPassword(newScope(), typed, undefined)).toBeUndefined()
  expect(await counts()).toEqual(before)
})
