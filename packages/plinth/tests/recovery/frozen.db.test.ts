import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { accountMail } from '#auth/accounts/account-mail'
import { createLink, findLink } from '#auth/accounts/links'
import { resetPasswordWithLink } from '#auth/accounts/sign-up'
import { signInWithProvider } from '#auth/oauth/sign-in'
import { hashPassword } from '#auth/passwords/hash'
import { signInWithPassword } from '#auth/passwords/sign-in'
import {
  accountChanges,
  accounts,
  auditEvents,
  passwords,
  sessions,
  users,
  verificationTokens,
} from '#db/schema'
import { deleteOwnAccount } from '#recovery/deletion'
import { newScope } from '#testing/scope'
import { complete, follow, newBrowser, prove, testAccount } from './test-account'

const { db, account, setEmail, linksIn } = testAccount()

const password = 'a few words in a row'

async function freeze() {
  await setEmail('b@example.com')
  const [token = ''] = await linksIn('a@example.com')
  await follow(token)
  return token
}

const forgot = (email: string) => accountMail.reset_password({ email, data: {} })

const tokenIn = (message: { text: string } | undefined) =>
  /\/recover\?token=([\w-]{43})/.exec(message?.text ?? '')?.[1]

const lastEvent = async () =>
  (await db.database.select().from(auditEvents).orderBy(sql`id desc`).limit(1))[0]

test.each(['a@example.com', 'b@example.com'])(
  'a mail for a forgotten password leads to the recovery: %s',
  async (email) => {
    await freeze()
    const message = await forgot(email)
    expect(message?.text).not.toContain('/reset')
    expect(message).not.toHaveProperty('discard')
    expect(await db.database.$count(verificationTokens)).toBe(0)
    expect(await follow(tokenIn(message))).toBeDefined()
  },
)

test('also while the account is deleted, and not after the recovery', async () => {
  await setEmail('b@example.com')
  await db.database.transaction((tx) => deleteOwnAccount(tx, account.userId, undefined))
  expect(await forgot('a@example.com')).toMatchObject({ discard: true })
  const [token = ''] = await linksIn('a@example.com')
  const browser = newBrowser()
  await follow(token, browser)
  const waiting = tokenIn(await forgot('b@example.com'))
  expect(await follow(waiting)).toEqual({ state: 'admin' })
  await prove(token, browser)
  expect(await complete(token, browser)).toBeDefined()
  expect((await forgot('a@example.com'))?.text).toContain('/reset')
  expect(await follow(waiting)).toBeUndefined()
})

test('an email that has another account by now gets a reset link for that one', async () => {
  await freeze()
  await db.database.update(accountChanges).set({ link: 'ended' })
  await db.database.insert(users).values({ email: 'a@example.com', name: 'Other' })
  expect((await forgot('a@example.com'))?.text).toContain('/reset')
})

test('a reset link is dead, also one of meanwhile', async () => {
  const before = await createLink(db.database, 'reset_password', {
    email: 'a@example.com',
    userId: account.userId,
  })
  const token = await freeze()
  expect(await findLink('reset_password', before)).toBeUndefined()
  const meanwhile = await createLink(db.database, 'reset_password', {
    email: 'b@example.com',
    userId: account.userId,
  })
  const stored = await db.database.select().from(passwords)
  const input = { token: meanwhile, password, keep: [] }
  await expect(resetPasswordWithLink(newScope(), input)).rejects.toMatchObject({
    cause: { code: 'PL004' },
  })
  expect(await db.database.select().from(passwords)).toEqual(stored)
  const browser = newBrowser()
  await prove(token, browser)
  await complete(token, browser)
  expect(await findLink('reset_password', meanwhile)).toBeUndefined()
})

test('the right password reveals that the account is frozen, and a wrong one nothing', async () => {
  await db.database.update(users).set({ emailVerifiedAt: sql`now()` })
  await db.database.update(passwords).set({ hash: await hashPassword(password) })
  await freeze()
  const signIn = (typed: string) =>
    signInWithPassword(newScope(), { email: 'b@example.com', password: typed })
  expect(await signIn('another password')).toBeUndefined()
  expect(await lastEvent()).toMatchObject({ action: 'sign_in', outcome: 'failure', details: {} })
  await expect(signIn(password)).rejects.toMatchObject({ cause: { code: 'PL004' } })
  expect(await lastEvent()).toMatchObject({
    action: 'sign_in',
    outcome: 'denied',
    targetId: account.userId,
    details: { by: 'password', reason: 'account_frozen' },
  })
  expect(await db.database.$count(sessions)).toBe(0)
})

test('a provider cannot sign in', async () => {
  const own = { provider: 'github', providerAccountId: 'own', userId: account.userId }
  await db.database.insert(accounts).values(own)
  await freeze()
  const profile = { provider: 'github', accountId: 'own', email: undefined, name: undefined }
  const outcome = await signInWithProvider(newScope(), profile, { linkTo: undefined })
  expect(outcome).toBe('account_frozen')
  expect(await lastEvent()).toMatchObject({ outcome: 'denied', targetId: account.userId })
  expect(await db.database.$count(sessions)).toBe(0)
})
