import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createLink, findLink } from '#auth/accounts/links'
import { accountChanges, auditEvents, passwords, recoveries, sessions, users } from '#db/schema'
import { snapshot } from '#recovery/methods'
import { complete, follow, hashOf, newBrowser, prove, testAccount } from './test-account'

const { db, account, setEmail, setPassword, link, unlink, linksIn, signIn } = testAccount()

test('opening ends sessions and reset links, and no one can sign in', async () => {
  await setEmail('b@example.com')
  await signIn()
  const reset = await createLink(db.database, 'reset_password', {
    email: 'b@example.com',
    userId: account.userId,
  })
  const [token] = await linksIn('a@example.com')
  expect(await follow(token)).toEqual({ state: 'waiting' })
  expect(await db.database.$count(sessions)).toBe(0)
  expect(await findLink('reset_password', reset)).toBeUndefined()
  await expect(signIn()).rejects.toMatchObject({ cause: { code: 'PL004' } })
  expect(await db.database.$count(sessions)).toBe(0)
})

test('the thief is evicted, whichever link the owner uses', async () => {
  await link('github')
  await db.database.delete(accountChanges)
  const before = await snapshot(db.database, account.userId)
  await setEmail('b@example.com')
  await link('google')
  await unlink('github')
  await setPassword('of the thief')
  const [token] = await linksIn('a@example.com')
  const browser = newBrowser()
  await follow(token, browser)
  expect(await prove(token, browser)).toBe(true)
  expect(await complete(token, browser)).toMatchObject({ email: 'a@example.com' })
  const after = await snapshot(db.database, account.userId)
  const isProvider = ({ kind }: { kind: string }) => kind === 'provider'
  expect(after.filter(isProvider)).toEqual(before.filter(isProvider))
  const [password] = await db.database.select().from(passwords)
  expect(password?.hash).toBe(hashOf('new'))
  expect(await db.database.$count(accountChanges)).toBe(0)
  for (const stolen of await linksIn('b@example.com')) {
    expect(await follow(stolen)).toBeUndefined()
  }
  await signIn()
})

test('a wrong proof, or one of another browser, completes nothing', async () => {
  await setEmail('b@example.com')
  const [token] = await linksIn('a@example.com')
  const browser = newBrowser()
  await follow(token, browser)
  expect(await prove(token, browser, hashOf('another'))).toBe(false)
  expect(await complete(token, browser)).toBeUndefined()
  expect(await prove(token, browser)).toBe(true)
  expect(await complete(token)).toBeUndefined()
  expect(await complete(token, browser, { hash: undefined })).toBeUndefined()
  const [user] = await db.database.select().from(users)
  expect(user?.email).toBe('b@example.com')
})

test('a proof before the recovery is opened does not count', async () => {
  await setEmail('b@example.com')
  const [token] = await linksIn('a@example.com')
  expect(await prove(token)).toBe(false)
})

test('without proof the recovery can be completed after the wait', async () => {
  await setEmail('b@example.com')
  const [token] = await linksIn('a@example.com')
  await follow(token)
  expect(await complete(token)).toBeUndefined()
  await db.database.update(recoveries).set({ readyAt: sql`now() - interval '1 second'` })
  expect(await complete(token)).toMatchObject({ email: 'a@example.com' })
})

test('all emails hear of it, and the present one can object', async () => {
  await setEmail('b@example.com')
  const [token] = await linksIn('a@example.com')
  await follow(token)
  const [objection] = await linksIn('b@example.com')
  expect(await follow(objection)).toEqual({ state: 'admin' })
  await db.database.update(recoveries).set({ readyAt: sql`now() - interval '1 second'` })
  expect(await complete(token)).toBeUndefined()
})

test('an old password is a proof and never comes back', async () => {
  await setPassword('second')
  const [token] = await linksIn('a@example.com')
  const browser = newBrowser()
  await follow(token, browser)
  expect(await prove(token, browser, hashOf('second'))).toBe(false)
  expect(await prove(token, browser, hashOf('first'))).toBe(true)
  expect(await complete(token, browser)).toBeDefined()
  const [password] = await db.database.select().from(passwords)
  expect(password?.hash).toBe(hashOf('new'))
})

test('of concurrent completions one succeeds', async () => {
  await setEmail('b@example.com')
  const [token] = await linksIn('a@example.com')
  const browser = newBrowser()
  await follow(token, browser)
  await prove(token, browser)
  const results = await Promise.all(Array.from({ length: 4 }, () => complete(token, browser)))
  expect(results.filter((result) => result !== undefined)).toHaveLength(1)
})

test('each step is an audit event', async () => {
  const earlier = await db.database.$count(auditEvents)
  await setEmail('b@example.com')
  const [token] = await linksIn('a@example.com')
  const browser = newBrowser()
  await follow(token, browser)
  await prove(token, browser, hashOf('wrong'))
  await prove(token, browser)
  await complete(token, browser)
  await follow(token)
  const events = await db.database.select().from(auditEvents).orderBy(auditEvents.id)
  expect(events.slice(earlier).map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
    'open_recovery success',
    'prove_to_recover failure',
    'prove_to_recover success',
    'complete_recovery success',
    'open_recovery failure',
  ])
})
