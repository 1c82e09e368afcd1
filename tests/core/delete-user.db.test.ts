import { beforeAll, expect, test } from 'vitest'
import { deleteUser } from '@/core/auth/delete-user'
import { createDemoAccounts } from '@/core/auth/demo-accounts'
import { createLink } from '@/core/auth/links'
import { hashPassword } from '@/core/auth/password'
import { storePassword } from '@/core/auth/store-password'
import { accounts, mailQueue, users } from '@/core/db/schema'
import { queueMail } from '@/core/mail/queue'
import { testDatabase } from '../support/database'
import { everythingIn } from '../support/everything'
import { signedInAs } from '../support/signed-in-as'

const db = testDatabase()

beforeAll(() => createDemoAccounts(db.database))

test('takes everything that hangs on the person, and nothing of others', async () => {
  const { database } = db
  const others = await everythingIn(database)
  const email = 'leaver@example.com'
  const [leaver] = await database.insert(users).values({ email, name: 'Leaver' }).returning()
  const userId = leaver?.id ?? ''
  await signedInAs(database, email)
  await storePassword(database, userId, await hashPassword('a few words in a row'))
  await database.insert(accounts).values({ provider: 'github', providerAccountId: '1', userId })
  await createLink(database, 'reset_password', { email, userId })
  await createLink(database, 'invitation', { email, userId: null })
  await queueMail(database, { purpose: 'password_changed', email })

  expect(await database.transaction((transaction) => deleteUser(transaction, userId))).toBe(true)
  expect(await everythingIn(database)).toBe(others)
  expect(await database.$count(mailQueue)).toBe(0)
})

test('somebody who does not exist is not deleted', async () => {
  const before = await everythingIn(db.database)
  expect(await deleteUser(db.database, crypto.randomUUID())).toBe(false)
  expect(await everythingIn(db.database)).toBe(before)
})
