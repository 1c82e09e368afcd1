import { expect, test } from 'vitest'
import { prepareRestoredDatabase } from '#auth/accounts/users'
import { deletedAccountRows, recoveries, recoveryProofs, users } from '#db/schema'
import { deleteOwnAccount } from '#recovery/deletion'
import { complete, follow, newBrowser, prove, testAccount } from './test-account'

const { db, account, setEmail, linksIn } = testAccount()

test('changes and their links stay in a restored database', async () => {
  await setEmail('b@example.com')
  const [token] = await linksIn('a@example.com')
  await prepareRestoredDatabase([])
  const browser = newBrowser()
  await follow(token, browser)
  await prove(token, browser)
  expect(await complete(token, browser)).toMatchObject({ email: 'a@example.com' })
})

test('an open recovery stays, and what was proved has to be proved again', async () => {
  await setEmail('b@example.com')
  const [token] = await linksIn('a@example.com')
  const browser = newBrowser()
  await follow(token, browser)
  await prove(token, browser)
  const [objection] = await linksIn('b@example.com')
  expect(await prepareRestoredDatabase([])).toMatchObject({ links: 1 })
  expect(await db.database.$count(recoveries)).toBe(1)
  expect(await db.database.$count(recoveryProofs)).toBe(0)
  expect(await complete(token, browser)).toBeUndefined()
  expect(await follow(objection)).toEqual({ state: 'admin' })
  await prove(token, browser)
  expect(await complete(token, browser)).toMatchObject({ email: 'a@example.com' })
})

test('a deleted account can still come back', async () => {
  await setEmail('b@example.com')
  await db.database.transaction((tx) => deleteOwnAccount(tx, account.userId, undefined))
  const [token] = await linksIn('a@example.com')
  await prepareRestoredDatabase([])
  const browser = newBrowser()
  await follow(token, browser)
  await prove(token, browser)
  expect(await complete(token, browser)).toMatchObject({ email: 'a@example.com' })
  expect(await db.database.$count(users)).toBe(1)
  expect(await db.database.$count(deletedAccountRows)).toBe(0)
})
