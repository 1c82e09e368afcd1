import { eq } from 'drizzle-orm'
import { requestMail } from 'plinth/auth/accounts/account-mail'
import { hashPassword } from 'plinth/auth/passwords/hash'
import { storePassword } from 'plinth/auth/passwords/user-password'
import { hashToken, newToken } from 'plinth/auth/sessions/cookie'
import { env } from 'plinth/config/env'
import { mailQueue, sessions, users } from 'plinth/db/schema'
import {
  databaseRows,
  newClient,
  newScope,
  sessionOf,
  snapshotDatabase,
  testDatabase,
} from 'plinth/testing'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { deleteExpired } from '../../data/factors/challenges'
import { signInLinkMail } from '../../data/sign-in-link-mail'
import { findSignInLink, signInWithCode, signInWithToken } from '../../data/sign-in-links'
import { module } from '../../module'
import { passkeyChallenges, signInLinks } from '../../schema'
import { addApp, newUser } from '../users'
import { testMailbox, tokenIn } from './mailbox'

const db = testDatabase()
const { lastEvents } = databaseRows(db)
const mailbox = testMailbox(db)

// Installs the modules.
beforeAll(() => void newClient())

beforeEach(() => {
  Object.assign(env(), { SIGN_IN_LINK: 'on' })
})

afterEach(async () => {
  Object.assign(env(), { SIGN_IN_LINK: 'off' })
  await db.database.delete(signInLinks)
  await db.database.delete(sessions)
})

/** As the action does. Returns what the browser keeps and what the mail says. */
async function requestLink(email: string, callbackUrl?: string) {
  const secret = newToken()
  const browser = hashToken(secret).toString('hex')
  const data = { browser, ...(callbackUrl ? { callbackUrl } : {}) }
  await requestMail(newScope(), { purpose: 'security.sign_in_link', email, data })
  const message = await mailbox.newest(email)
  const [code = ''] = /(?<![\w-])[0-9A-Z]{4}-[0-9A-Z]{4}(?![\w-])/.exec(message.text) ?? []
  return { secret, message, token: tokenIn(message), code }
}

async function newUserWithoutSession() {
  const user = await newUser(db.database)
  await db.database.delete(sessions)
  return user
}

const sessionCount = () => db.database.$count(sessions)
const expire = () => db.database.update(signInLinks).set({ expiresAt: new Date(Date.now() - 1000) })

test('the link signs in once, and its code dies with it', async () => {
  const { id, email } = await newUserWithoutSession()
  const { secret, token, code } = await requestLink(email)
  expect(await findSignInLink(token)).toBe(email)
  expect(await sessionCount()).toBe(0)
  const { session } = sessionOf(await signInWithToken(newScope(), token))
  expect(session).toMatchObject({ user: { id, email }, authenticatedBy: 'link' })
  expect(await lastEvents(1)).toMatchObject([
    { action: 'sign_in', outcome: 'success', actorId: id, details: { by: 'link', using: 'link' } },
  ])
  expect(await findSignInLink(token)).toBeUndefined()
  const before = await snapshotDatabase(db.database)
  expect(await signInWithToken(newScope(), token)).toBeUndefined()
  expect(await signInWithCode(newScope(), { secret, code })).toBeUndefined()
  expect(await snapshotDatabase(db.database)).toBe(before)
  expect(await lastEvents(2)).toMatchObject([
    { action: 'sign_in', outcome: 'failure', details: { by: 'link', reason: 'expired' } },
    { action: 'sign_in', outcome: 'failure', details: { by: 'link', reason: 'expired' } },
  ])
})

test('the code signs in the browser that asked, and the link dies with it', async () => {
  const { id, email } = await newUserWithoutSession()
  const { secret, token, code } = await requestLink(email)
  // As typed by hand: in lower case, with letters that the alphabet does not have.
  const typed = code.toLowerCase().replace('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')
  const { session } = sessionOf(await signInWithCode(newScope(), { secret, code: typed }))
  expect(session.user.id).toBe(id)
  expect(await lastEvents(1)).toMatchObject([{ details: { by: 'link', using: 'code' } }])
  expect(await signInWithToken(newScope(), token)).toBeUndefined()
  expect(await sessionCount()).toBe(1)
})

test('the code works in no other browser', async () => {
  const { email } = await newUserWithoutSession()
  const { code } = await requestLink(email)
  const before = await snapshotDatabase(db.database)
  for (const secret of [newToken(), '', 'invented']) {
    expect(await signInWithCode(newScope(), { secret, code })).toBeUndefined()
  }
  expect(await snapshotDatabase(db.database)).toBe(before)
})

test('a code has five tries, the link is not affected', async () => {
  const { id, email } = await newUserWithoutSession()
  const { secret, token, code } = await requestLink(email)
  for (let tries = 0; tries < 5; tries += 1) {
    expect(await signInWithCode(newScope(), { secret, code: 'AAAA-AAAA' })).toBeUndefined()
  }
  expect(await lastEvents(1)).toMatchObject([
    { action: 'sign_in', outcome: 'failure', targetId: id, details: { reason: 'wrong_code' } },
  ])
  expect(await signInWithCode(newScope(), { secret, code })).toBeUndefined()
  expect(await sessionCount()).toBe(0)
  expect(await signInWithToken(newScope(), token)).toBeDefined()
})

test('expires after ten minutes, and the sweep deletes it', async () => {
  const { email } = await newUserWithoutSession()
  const { secret, token, code } = await requestLink(email)
  const [row] = await db.database.select().from(signInLinks)
  const lifetimeMs = (row?.expiresAt.getTime() ?? 0) - (row?.createdAt.getTime() ?? 0)
  expect(lifetimeMs).toBe(10 * 60_000)
  await expire()
  expect(await findSignInLink(token)).toBeUndefined()
  expect(await signInWithToken(newScope(), token)).toBeUndefined()
  expect(await signInWithCode(newScope(), { secret, code })).toBeUndefined()
  expect(await sessionCount()).toBe(0)
  expect(await deleteExpired(100)).toBe(1)
  expect(await db.database.$count(signInLinks)).toBe(0)
})

test('the sweep returns the rows of all tables, and less than its limit when it is done', async () => {
  for (let count = 0; count < 2; count += 1) {
    const { email } = await newUserWithoutSession()
    await requestLink(email)
  }
  await expire()
  const expiresAt = new Date(Date.now() - 1000)
  await db.database
    .insert(passkeyChallenges)
    .values([1, 2, 3].map((byte) => ({ challengeHash: Buffer.alloc(32, byte), expiresAt })))
  expect([await module.sweep?.(2), await module.sweep?.(2)]).toEqual([4, 1])
  const left = [await db.database.$count(signInLinks), await db.database.$count(passkeyChallenges)]
  expect(left).toEqual([0, 0])
})

test('the newest link replaces earlier ones', async () => {
  const { email } = await newUserWithoutSession()
  const first = await requestLink(email)
  const second = await requestLink(email)
  expect(await signInWithToken(newScope(), first.token)).toBeUndefined()
  expect(await signInWithCode(newScope(), first)).toBeUndefined()
  expect(await signInWithCode(newScope(), second)).toBeDefined()
})

test.each(['link', 'code'] as const)('of 50 parallel uses of one %s one wins', async (kind) => {
  const { email } = await newUserWithoutSession()
  const { secret, token, code } = await requestLink(email)
  const results = await Promise.all(
    Array.from({ length: 50 }, () =>
      kind === 'link'
        ? signInWithToken(newScope(), token)
        : signInWithCode(newScope(), { secret, code }),
    ),
  )
  expect(results.filter((result) => result !== undefined)).toHaveLength(1)
  expect(await sessionCount()).toBe(1)
})

test('needs the second factor of the user', async () => {
  const { email, scope } = await newUser(db.database)
  await addApp(db.database, scope)
  await db.database.delete(sessions)
  await db.database.delete(mailQueue)
  const { token } = await requestLink(email)
  expect(await signInWithToken(newScope(), token)).toMatchObject({
    methods: ['totp', 'recovery_code'],
    href: '/sign-in/verify',
  })
  expect(await sessionCount()).toBe(0)
})

test('ends the session that the browser had', async () => {
  const { scope } = await newUser(db.database)
  const { email } = await newUser(db.database)
  const { token } = await requestLink(email)
  await signInWithToken(scope, token)
  expect(await db.database.$count(sessions, eq(sessions.id, scope.session.id))).toBe(0)
})

describe('open links end', () => {
  test('with a new password', async () => {
    const { id, email } = await newUserWithoutSession()
    const { token } = await requestLink(email)
    await storePassword(db.database, id, await hashPassword('other words in a row'))
    expect(await signInWithToken(newScope(), token)).toBeUndefined()
  })

  test('with another email', async () => {
    const { id, email } = await newUserWithoutSession()
    const { token } = await requestLink(email)
    const changed = `new-${email}`
    await db.database.update(users).set({ email: changed }).where(eq(users.id, id))
    expect(await db.database.$count(signInLinks)).toBe(0)
    expect(await signInWithToken(newScope(), token)).toBeUndefined()
  })
})

test('the mail names no other page and keeps the callback URL', async () => {
  const { email } = await newUserWithoutSession()
  const { message, token } = await requestLink(email, '/account/sessions')
  expect(message.subject).toBe('Your sign-in link')
  expect(message.text).toContain(
    `/sign-in/link/confirm?token=${token}&callbackUrl=%2Faccount%2Fsessions`,
  )
})

test('only hashes are stored', async () => {
  const { email } = await newUserWithoutSession()
  const { secret, token, code } = await requestLink(email)
  const [row] = await db.database.select().from(signInLinks)
  const stored = JSON.stringify(row)
  for (const text of [secret, token, code, code.replace('-', '')]) {
    expect(stored).not.toContain(text)
  }
  expect(row?.codeHash).not.toEqual(hashToken(code.replace('-', '')))
})

const methods = ['select', 'insert', 'update', 'delete', 'execute', 'transaction'] as const

/** The message and the number of queries of each kind. */
async function compose(email: string) {
  const spies = methods.map((method) => vi.spyOn(db.database, method))
  const browser = hashToken(newToken()).toString('hex')
  const message = await signInLinkMail.compose({ email, data: { browser } })
  const queries = spies.map((spy) => spy.mock.calls.length)
  vi.restoreAllMocks()
  return { message, queries }
}

test('an unknown or unverified email takes the same work, and nothing is stored or sent', async () => {
  const known = await compose((await newUserWithoutSession()).email)
  await db.database.delete(signInLinks)
  const { id, email: unverified } = await newUserWithoutSession()
  await db.database.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, id))
  for (const email of [unverified, unverified.replace('user', 'none')]) {
    const other = await compose(email)
    expect(other.queries).toEqual(known.queries)
    expect(other.message?.html).toHaveLength(known.message?.html.length ?? 0)
    expect(other.message?.discard).toBe(true)
    await requestMail(newScope(), {
      purpose: 'security.sign_in_link',
      email,
      data: { browser: '00'.repeat(32) },
    })
    expect(await mailbox.receive(email)).toEqual([])
  }
  expect(await db.database.$count(signInLinks)).toBe(0)
})

test('exists only with SIGN_IN_LINK=on', async () => {
  const method = module.signInMethods?.find(({ isShown }) => isShown)
  expect(method?.isShown?.()).toBe(true)
  Object.assign(env(), { SIGN_IN_LINK: 'off' })
  expect(method?.isShown?.()).toBe(false)
  const { email } = await newUserWithoutSession()
  expect((await compose(email)).message).toBeUndefined()
})
