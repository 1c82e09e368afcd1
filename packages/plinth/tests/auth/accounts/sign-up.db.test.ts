import { desc, eq } from 'drizzle-orm'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { accountMail, requestMail } from '#auth/accounts/account-mail'
import { emailField } from '#auth/accounts/fields'
import { createLink, findLink } from '#auth/accounts/links'
import { finishSignUp, requestResetMail, requestSignUpMail } from '#auth/accounts/sign-up'
import { createDemoAccounts } from '#auth/accounts/users'
import { hashPassword } from '#auth/passwords/hash'
import { signInWithPassword } from '#auth/passwords/sign-in'
import { storePassword } from '#auth/passwords/user-password'
import { findSession } from '#auth/sessions/cache'
import { env } from '#config/env'
import { auditEvents, mailQueue, passwords, sessions, users, verificationTokens } from '#db/schema'
import { sendDueMail } from '#mail/worker'
import { testDatabase } from '#testing/database/database'
import { newScope, sessionOf } from '#testing/scope'
import { startSmtpServer, tokenIn } from '../../support/smtp-server'

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
  finishSignUp(scope, 'verify_email', { token, name: 'Ann', password, ...changes })

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

describe('a sign-up request', () => {
  test('creates a link and no account', async () => {
    const before = await counts()
    await requestSignUpMail(newScope(), 'new@example.com')
    await sendDueMail(accountMail)
    expect(await counts()).toEqual({ ...before, links: before.links + 1 })
  })

  test('does the same for an email with an account and one without', async () => {
    const before = await counts()
    const results = []
    for (const email of ['viewer@example.com', 'unknown@example.com']) {
      results.push(await requestSignUpMail(newScope(), email))
    }
    expect(results[0]).toEqual(results[1])
    expect(await counts()).toEqual(before)
    const queued = await db.database.select().from(mailQueue)
    expect(queued.map(({ purpose }) => purpose)).toEqual(['sign_up', 'sign_up'])
  })

  test('is in the audit log without the email', async () => {
    const scope = newScope()
    await requestSignUpMail(scope, 'typed-by-user@example.com')
    const [event] = await lastEvents(1)
    expect(event).toMatchObject({
      action: 'request_sign_up',
      outcome: 'success',
      actorId: null,
      ip: scope.ip,
      requestId: scope.requestId,
    })
    expect(JSON.stringify(event)).not.toContain('typed-by-user')
  })

  test('sends one message and creates one account for fifty concurrent spellings of an email', async () => {
    const spellings = Array.from({ length: 50 }, (_, index) =>
      [...'fifty@example.com']
        .map((letter, position) => ((index >> (position % 6)) & 1 ? letter.toUpperCase() : letter))
        .join(''),
    )
    const results = await Promise.all(
      spellings.map((typed) => requestSignUpMail(newScope(), emailField.parse(typed))),
    )
    expect(results.filter(({ allowed }) => allowed)).toHaveLength(10)
    await sendDueMail(accountMail)
    expect(smtp.received).toHaveLength(1)
    const [message] = smtp.received
    const token = message ? tokenIn(message) : ''
    const before = await counts()
    const done = await Promise.all(Array.from({ length: 10 }, () => finish(token)))
    expect(done.filter(({ outcome }) => outcome === 'done')).toHaveLength(1)
    expect(done.filter(({ outcome }) => outcome === 'invalid_link')).toHaveLength(9)
    expect(await counts()).toEqual({
      users: before.users + 1,
      passwords: before.passwords + 1,
      sessions: before.sessions + 1,
      links: before.links - 1,
    })
  })
})

describe('the rate limit', () => {
  test('allows five requests an hour for one email from one IP', async () => {
    const scope = newScope()
    for (let count = 0; count < 5; count += 1) {
      expect((await requestSignUpMail(scope, 'pair@example.com')).allowed).toBe(true)
    }
    await db.database.delete(mailQueue)
    const limited = await requestSignUpMail(scope, 'pair@example.com')
    expect(limited).toMatchObject({ allowed: false, limit: 5, remaining: 0 })
    expect(limited.seconds).toBeGreaterThan(3500)
    expect(await db.database.$count(mailQueue)).toBe(0)
    expect((await lastEvents(1))[0]).toMatchObject({ action: 'request_sign_up', outcome: 'denied' })
    expect((await requestSignUpMail(scope, 'another@example.com')).allowed).toBe(true)
    expect((await requestSignUpMail(newScope(), 'pair@example.com')).allowed).toBe(true)
  })

  test('allows ten requests an hour for one email from any IP', async () => {
    for (let count = 0; count < 10; count += 1) {
      expect((await requestSignUpMail(newScope(), 'flooded@example.com')).allowed).toBe(true)
    }
    expect((await requestSignUpMail(newScope(), 'flooded@example.com')).allowed).toBe(false)
  })

  test('counts each purpose by itself', async () => {
    const scope = newScope()
    const email = 'purposes@example.com'
    const purpose = 'module.sign_in_link'
    while ((await requestMail(scope, { purpose, email })).allowed);
    for (let count = 0; count < 10; count += 1) await requestMail(newScope(), { purpose, email })
    for (let count = 0; count < 20; count += 1) {
      await requestMail(scope, { purpose, email: `purposes${count}@example.com` })
    }
    expect((await requestMail(scope, { purpose, email: 'other@example.com' })).allowed).toBe(false)
    expect((await requestMail(newScope(), { purpose, email })).allowed).toBe(false)
    expect((await requestResetMail(scope, email)).allowed).toBe(true)
  })

  test('allows twenty requests an hour from one IP, with or without an account', async () => {
    const scope = newScope()
    for (let count = 0; count < 20; count += 1) {
      expect((await requestSignUpMail(scope, `user${count}@example.com`)).allowed).toBe(true)
    }
    const registered = await requestSignUpMail(scope, 'viewer@example.com')
    const unknown = await requestSignUpMail(scope, 'unknown@example.com')
    expect({ ...registered, seconds: 0 }).toEqual({ ...unknown, seconds: 0 })
    expect(registered.allowed).toBe(false)
  })
})

describe('finishing a sign-up', () => {
  test('creates a verified viewer with that name and password, signed in', async () => {
    const scope = newScope()
    const result = await finish(await linkFor('ann@example.com'), {}, scope)
    if (result.outcome !== 'done') throw new Error(result.outcome)
    const { token, session } = sessionOf(result.signedIn)
    expect(session.user).toMatchObject({ email: 'ann@example.com', name: 'Ann', role: 'viewer' })
    expect((await findSession(token))?.user.id).toBe(session.user.id)
    const [row] = await db.database.select().from(users).where(eq(users.id, session.user.id))
    expect(row?.emailVerifiedAt).toBeInstanceOf(Date)
    const typed = { email: 'ann@example.com', password }
    expect(await signInWithPassword(newScope(), typed)).toBeDefined()
    const events = await lastEvents(4)
    const own = { actorId: session.user.id, targetId: session.user.id, outcome: 'success' }
    const here = { ip: scope.ip, requestId: scope.requestId }
    expect(events.slice(0, 3)).toMatchObject([
      { action: 'sign_up', ...own, ...here, details: { by: 'verify_email' } },
      { action: 'verify_email', ...own, ...here },
      { action: 'sign_in', ...own, ...here },
    ])
  })

  test.each(['', 'A'.repeat(43)])('with an invalid link changes nothing: %j', async (token) => {
    const before = await counts()
    expect(await finish(token)).toEqual({ outcome: 'invalid_link' })
    expect(await counts()).toEqual(before)
    expect((await lastEvents(1))[0]).toMatchObject({ action: 'sign_up', outcome: 'failure' })
  })

  test('with a weak password changes nothing, and the link still works', async () => {
    const token = await linkFor('easy@example.com')
    const before = await counts()
    expect(await finish(token, { password: 'password123' })).toMatchObject({
      outcome: 'weak_password',
    })
    expect(await finish(token, { password: 'Easy@Example.com' })).toMatchObject({
      outcome: 'weak_password',
      message: expect.stringContaining('your email'),
    })
    const named = { name: 'Ada Lovelace', password: 'lovelace-1815' }
    expect(await finish(token, named)).toMatchObject({
      outcome: 'weak_password',
      message: expect.stringContaining('your name'),
    })
    expect(await counts()).toEqual(before)
    expect(await finish(token)).toMatchObject({ outcome: 'done' })
  })

  test('for an email that was taken in the meantime leaves the other account unchanged', async () => {
    const token = await linkFor('taken@example.com')
    await db.database.insert(users).values({ email: 'taken@example.com', name: 'Owner' })
    const before = await counts()
    expect(await finish(token, { name: 'Another user' })).toEqual({ outcome: 'email_taken' })
    expect(await counts()).toEqual({ ...before, links: before.links - 1 })
    const [owner] = await db.database
      .select()
      .from(users)
      .where(eq(users.email, 'taken@example.com'))
    expect(owner).toMatchObject({ name: 'Owner', emailVerifiedAt: null })
  })
})

describe('SIGN_UP', () => {
  const invite = (email: string) => createLink(db.database, 'invitation', { email, userId: null })
  const accept = (token: string) =>
    finishSignUp(newScope(), 'invitation', { token, name: 'Guest', password })

  test('invite accepts invitations only', async () => {
    Object.assign(env(), { SIGN_UP: 'invite' })
    const before = await counts()
    const own = await linkFor('uninvited@example.com')
    expect(await finish(own)).toEqual({ outcome: 'invalid_link' })
    expect((await counts()).users).toBe(before.users)
    const token = await invite('guest@example.com')
    expect(await accept(token)).toMatchObject({ outcome: 'done' })
    expect(await accept(token)).toEqual({ outcome: 'invalid_link' })
  })

  test('an invitation gives its role to the new account, and no other link has one', async () => {
    Object.assign(env(), { SIGN_UP: 'invite' })
    const email = 'new-editor@example.com'
    const link = { email, userId: null, role: 'editor' } as const
    const token = await createLink(db.database, 'invitation', link)
    expect(await findLink('invitation', token)).toEqual(link)
    expect(await accept(token)).toMatchObject({
      outcome: 'done',
      signedIn: { session: { user: { email, role: 'editor' } } },
    })
    await expect(createLink(db.database, 'verify_email', link)).rejects.toThrow()
  })

  test('closed rejects invitations and keeps their links', async () => {
    const token = await invite('later@example.com')
    Object.assign(env(), { SIGN_UP: 'closed' })
    const before = await counts()
    expect(await accept(token)).toEqual({ outcome: 'invalid_link' })
    expect(await counts()).toEqual(before)
    expect(await findLink('invitation', token)).toBeDefined()
  })
})

test('rejects a password sign-in to an account with an unverified email', async () => {
  const [user] = await db.database
    .insert(users)
    .values({ email: 'unverified@example.com', name: 'Unverified' })
    .returning({ id: users.id })
  await storePassword(db.database, user?.id ?? '', await hashPassword(password))
  const before = await counts()
  const typed = { email: 'unverified@example.com', password }
  expect(await signInWithPassword(newScope(), typed)).toBeUndefined()
  expect(await counts()).toEqual(before)
})
