import { beforeAll, expect, test } from 'vitest'
import { createLink } from '#auth/accounts/links'
import { createDemoAccounts, deleteUserAndData } from '#auth/accounts/users'
import { hashPassword } from '#auth/passwords/hash'
import { storePassword } from '#auth/passwords/user-password'
import { accounts, mailQueue, users } from '#db/schema'
import { queueMail } from '#mail/mail'
import { testDatabase } from '#testing/database/database'
import { snapshotDatabase } from '#testing/database/database-rows'
import { signedInScope } from '#testing/scope'

const db = testDatabase()

beforeAll(() => createDemoAccounts(db.database))

test('deletes all data of the user and nothing else', async () => {
  const { database } = db
  const before = await snapshotDatabase(database)
  const email = 'deleted@example.com'
  const [user] = await database.insert(users).values({ email, name: 'Deleted' }).returning()
  const userId = user?.id ?? ''
  await signedInScope(database, email)
  await storePassword(database, userId, await hashPassword('a few words in a row'))
  await database.insert(accounts).values({ provider: 'github', providerAccountId: '1', userId })
  await createLink(database, 'reset_password', { email, userId })
  await createLink(database, 'invitation', { email, userId: null })
  await queueMail(database, { purpose: 'reset_password', email })

  expect(await database.transaction((transaction) => deleteUserAndData(transaction, userId))).toBe(
    true,
  )
  expect(await snapshotDatabase(database)).toBe(before)
  expect(await database.$count(mailQueue)).toBe(0)
})

test('returns false for an unknown user', async () => {
  const before = await snapshotDatabase(db.database)
  expect(await deleteUserAndData(db.database, crypto.randomUUID())).toBe(false)
  expect(await snapshotDatabase(db.database)).toBe(before)
})
