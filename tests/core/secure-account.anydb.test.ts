import { testDatabase } from '@tests/support/database'
import { databaseRows, snapshotDatabase, userIdOf } from '@tests/support/database-rows'
import { newScope, signedInScope } from '@tests/support/scope'
import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { secureAccount } from '@/core/auth/accounts/linked-accounts'
import { createLink, deleteUserLinks, findLink } from '@/core/auth/accounts/links'
import { resetPasswordWithLink } from '@/core/auth/accounts/sign-up'
import { createDemoAccounts } from '@/core/auth/accounts/users'
import { accounts, sessions } from '@/core/db/schema'

const db = testDatabase()
const { accountsOf, lastEvents } = databaseRows(db)
const email = 'viewer@example.com'
const password = 'a few words in a row'

let userId: string
beforeEach(async () => {
  await createDemoAccounts(db.database)
  userId = await userIdOf(db.database, email)
  await db.database.delete(accounts).where(eq(accounts.userId, userId))
  for (const provider of ['github', 'google']) {
    const providerAccountId = crypto.randomUUID()
    await db.database.insert(accounts).values({ provider, providerAccountId, userId })
  }
})

const providersOf = async () => (await accountsOf(userId)).map(({ provider }) => provider).sort()
const newLink = () => createLink(db.database, 'secure_account', { email, userId })

test('unlinks the account, ends every session and starts a reset', async () => {
  await signedInScope(db.database, email)
  const token = await newLink()
  const resetToken = await secureAccount(newScope(), { token, provider: 'github' })
  expect(await providersOf()).toEqual(['google'])
  expect(await db.database.$count(sessions, eq(sessions.userId, userId))).toBe(0)
  expect(await findLink('reset_password', resetToken)).toEqual({ email, userId })
  expect(await lastEvents(2)).toMatchObject([
    { action: 'unlink_account', outcome: 'success', targetId: userId, details: { by: 'github' } },
    { action: 'secure_account', outcome: 'success', targetId: userId },
  ])
})

test('a link works once, and an invalid one changes nothing', async () => {
  const token = await newLink()
  await secureAccount(newScope(), { token, provider: 'github' })
  await signedInScope(db.database, email)
  const before = await snapshotDatabase(db.database)
  for (const invalid of [token, 'no token', 'A'.repeat(43)]) {
    const provider = 'google'
    expect(await secureAccount(newScope(), { token: invalid, provider })).toBeUndefined()
  }
  expect(await snapshotDatabase(db.database)).toBe(before)
})

test('opening the link does not use it, and a password change does not remove it', async () => {
  const token = await newLink()
  expect(await findLink('secure_account', token)).toEqual({ email, userId })
  await deleteUserLinks(db.database, userId)
  expect(await findLink('secure_account', token)).toEqual({ email, userId })
})

test('a password reset unlinks the accounts that the owner does not keep', async () => {
  const token = await createLink(db.database, 'reset_password', { email, userId })
  const result = await resetPasswordWithLink(newScope(), { token, password, keep: ['google'] })
  expect(result.outcome).toBe('done')
  expect(await providersOf()).toEqual(['google'])
  const again = await createLink(db.database, 'reset_password', { email, userId })
  await resetPasswordWithLink(newScope(), { token: again, password, keep: ['unknown'] })
  expect(await providersOf()).toEqual([])
})
