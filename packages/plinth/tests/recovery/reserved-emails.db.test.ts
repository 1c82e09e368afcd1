import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { accountMail } from '#auth/accounts/account-mail'
import { setEmail as takeEmail } from '#auth/accounts/email-owner'
import { createLink } from '#auth/accounts/links'
import { finishSignUp } from '#auth/accounts/sign-up'
import { createAdmin } from '#auth/accounts/users'
import { signInWithProvider } from '#auth/oauth/sign-in'
import { env } from '#config/env'
import { accountChanges, accounts, users, verificationTokens } from '#db/schema'
import { newScope } from '#testing/scope'
import { testAccount } from './test-account'

const { db, account, setEmail, setPassword } = testAccount()
env().SIGN_UP = 'open'

const left = 'a@example.com'

/** The account has left a@example.com and can still come back to it. */
const leave = () => setEmail('b@example.com')

const endLinks = () =>
  db.database.update(accountChanges).set({ endsAt: sql`now() - interval '1 second'` })

const countUsers = () => db.database.$count(users)

async function signUp(purpose: 'verify_email' | 'invitation' = 'verify_email') {
  const token = await createLink(db.database, purpose, { email: left, userId: null })
  const input = { token, name: 'Other', password: 'a few words in a row' }
  return (await finishSignUp(newScope(), purpose, input)).outcome
}

test.each(['verify_email', 'invitation'] as const)(
  'a sign-up with a link of before gets the answer for a taken email: %s',
  async (purpose) => {
    await leave()
    expect(await signUp(purpose)).toBe('email_taken')
    expect(await countUsers()).toBe(1)
    await endLinks()
    expect(await signUp(purpose)).toBe('done')
  },
)

test('the mail of a sign-up has no link, and says why', async () => {
  await leave()
  const message = await accountMail.sign_up({ email: left, data: {} })
  expect(message?.text).not.toContain('token=')
  expect(message?.text).toContain('Another account had it until')
  expect(message).not.toHaveProperty('discard')
  expect(await db.database.$count(verificationTokens)).toBe(0)
  await endLinks()
  expect((await accountMail.sign_up({ email: left, data: {} }))?.text).toContain('token=')
})

test('an invitation is not sent', async () => {
  await leave()
  expect(await accountMail.invitation({ email: left, data: {} })).toBeUndefined()
  await endLinks()
  expect(await accountMail.invitation({ email: left, data: {} })).toBeDefined()
})

test('a provider gets the answer for a taken email', async () => {
  await leave()
  const profile = { provider: 'github', accountId: 'other', email: left, name: 'Other' }
  const signIn = () => signInWithProvider(newScope(), profile, { linkTo: undefined })
  expect(await signIn()).toBe('email_in_use')
  expect(await countUsers()).toBe(1)
  expect(await db.database.$count(accounts)).toBe(0)
  await endLinks()
  expect(await signIn()).toMatchObject({ session: { user: { email: left } } })
})

test('another user cannot take the email, and its own user can return to it', async () => {
  await leave()
  const [other] = await db.database
    .insert(users)
    .values({ email: 'c@example.com', name: 'C' })
    .returning({ id: users.id })
  const take = (userId = '') =>
    db.database.transaction((transaction) => takeEmail(transaction, userId, left))
  expect(await take(other?.id)).toBe(false)
  expect(await take(account.userId)).toBe(true)
})

test('a user who leaves an email while someone signs up with it keeps it', async () => {
  const token = await createLink(db.database, 'verify_email', { email: left, userId: null })
  const input = { token, name: 'Other', password: 'a few words in a row' }
  const [result] = await Promise.all([finishSignUp(newScope(), 'verify_email', input), leave()])
  expect(result.outcome).toBe('email_taken')
  expect(await db.database.$count(users, eq(users.email, left))).toBe(0)
})

test('the email of an account that has changed is not reserved against its own user', async () => {
  await setPassword('second')
  const message = await accountMail.sign_up({ email: left, data: {} })
  expect(message?.text).toContain('an account already exists')
})

// The last test, because the last admin cannot be deleted.
test('an operator who creates an admin is told', async () => {
  await leave()
  await expect(createAdmin(left)).rejects.toThrow('can still be recovered')
  expect(await countUsers()).toBe(1)
  expect((await createAdmin('b@example.com')).created).toBe(false)
  await endLinks()
  expect((await createAdmin(left)).created).toBe(true)
})
