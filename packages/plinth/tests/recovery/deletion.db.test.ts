import { eq, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { eraseArchives } from '#auth/accounts/deleted-accounts/erasure'
import { deleteUserAndData } from '#auth/accounts/users'
import {
  accountChanges,
  accounts,
  deletedAccountRows,
  mailQueue,
  passwords,
  recoveries,
  recoveryProofs,
  users,
} from '#db/schema'
import { listChanges, storeDelivery } from '#recovery/changes'
import { rejectRecovery } from '#recovery/decide'
import { deleteOwnAccount } from '#recovery/deletion'
import type { Method } from '#recovery/history'
import { sweepRecoveries } from '#recovery/sweep'
import { viewRecovery } from '#recovery/view'
import { complete, follow, hashOf, newBrowser, prove, testAccount } from './test-account'

const { db, account, setEmail, setPassword, link, unlink, linksIn, signIn } = testAccount()

beforeEach(() => db.database.delete(deletedAccountRows))

const remove = (confirmedBy?: Method) =>
  db.database.transaction((tx) => deleteOwnAccount(tx, account.userId, confirmedBy))

const findUser = async () =>
  (await db.database.select().from(users).where(eq(users.id, account.userId)))[0]

const archived = () => db.database.$count(deletedAccountRows)

/** Moves the end of every link, as if time had passed, and when the archive is erased. */
async function endLinks() {
  const ended = sql`now() - interval '1 second'`
  await db.database.update(accountChanges).set({
    endsAt: ended,
    at: sql`at - interval '40 days'`,
    deliveredAt: sql`delivered_at - interval '40 days'`,
  })
  await db.database.update(recoveries).set({ openedAt: sql`opened_at - interval '40 days'` })
  const isDue = sql`erase_at < 'infinity'`
  await db.database.update(deletedAccountRows).set({ eraseAt: ended }).where(isDue)
}

test('without a live link a deletion is final', async () => {
  await setPassword('second')
  await endLinks()
  expect(await remove()).toEqual({ deleted: true, isFinal: true })
  expect(await findUser()).toBeUndefined()
  expect(await archived()).toBe(0)
  expect(await db.database.$count(accountChanges)).toBe(0)
})

test('while a link is alive the account is gone, and its email gets a link', async () => {
  await setEmail('b@example.com')
  expect(await remove()).toEqual({ deleted: true, isFinal: false })
  expect(await findUser()).toBeUndefined()
  expect(await db.database.$count(passwords)).toBe(0)
  const queued = await db.database.select().from(mailQueue).orderBy(mailQueue.id)
  expect(queued.map(({ email }) => email)).toEqual(['a@example.com', 'b@example.com'])
  const [token] = await linksIn('b@example.com')
  const view = await viewRecovery(token, newBrowser())
  expect(view?.timeline.at(-1)?.sentences).toEqual(['The account was deleted.'])
  const [before] = await linksIn('a@example.com')
  const proofs = (await viewRecovery(before, newBrowser()))?.provable
  expect(proofs).toEqual([{ kind: 'password', name: null }])
})

test('an account without any sign-in method comes back too', async () => {
  await db.database.delete(passwords)
  await link('github')
  await unlink('github')
  await remove()
  const [token] = await linksIn('a@example.com')
  await follow(token)
  await db.database.update(recoveries).set({ readyAt: sql`now() - interval '1 second'` })
  expect(await complete(token)).toMatchObject({ email: 'a@example.com' })
})

test('a recovery brings the account back without what the thief has added', async () => {
  await db.database
    .insert(accounts)
    .values({ provider: 'github', providerAccountId: 'own', userId: account.userId })
  const before = await findUser()
  await setEmail('b@example.com')
  await link('google')
  await unlink('github')
  await setPassword('of the thief')
  await remove()
  const [token] = await linksIn('a@example.com')
  const browser = newBrowser()
  expect(await follow(token, browser)).toEqual({ state: 'waiting' })
  expect(await prove(token, browser, hashOf('of the thief'))).toBe(false)
  expect(await prove(token, browser)).toBe(true)
  expect(await complete(token, browser)).toMatchObject({ email: 'a@example.com' })
  expect(await findUser()).toMatchObject({ id: before?.id, email: 'a@example.com', name: 'A' })
  const linked = await db.database.select().from(accounts)
  expect(linked.map(({ providerAccountId }) => providerAccountId)).toEqual(['own'])
  const [password] = await db.database.select().from(passwords)
  expect(password?.hash).toBe(hashOf('new'))
  expect(await archived()).toBe(0)
  expect(await db.database.$count(accountChanges)).toBe(0)
  await signIn()
})

test('with strong proof the owner keeps an addition of a deleted account', async () => {
  await db.database
    .insert(accounts)
    .values({ provider: 'github', providerAccountId: 'own', userId: account.userId })
  await link('google')
  await remove()
  const [token = ''] = await linksIn('a@example.com')
  const browser = newBrowser()
  await follow(token, browser)
  const proof = { kind: 'provider', methodId: 'github own', browserHash: browser.hash } as const
  await db.database.insert(recoveryProofs).values({ userId: account.userId, ...proof })
  const view = await viewRecovery(token, browser)
  expect(view?.choices?.additions).toMatchObject([{ kind: 'provider', name: 'google' }])
  await complete(token, browser, { kept: view?.choices?.additions })
  const linked = await db.database.select().from(accounts)
  expect(linked.map(({ provider }) => provider).sort()).toEqual(['github', 'google'])
})

test('of concurrent openings and completions of a deleted account one counts', async () => {
  await setEmail('b@example.com')
  await remove()
  const [token] = await linksIn('a@example.com')
  const browser = newBrowser()
  const opened = await Promise.all(Array.from({ length: 4 }, () => follow(token, browser)))
  expect(opened).toEqual(Array.from({ length: 4 }, () => ({ state: 'waiting' })))
  expect(await db.database.$count(recoveries)).toBe(1)
  await prove(token, browser)
  const results = await Promise.all(Array.from({ length: 4 }, () => complete(token, browser)))
  expect(results.filter((result) => result !== undefined)).toHaveLength(1)
  expect(await db.database.$count(users)).toBe(1)
})

const eraseTimes = async () => {
  const { eraseAt } = deletedAccountRows
  const rows = await db.database
    .selectDistinct({ at: sql<string>`${eraseAt}::text` })
    .from(deletedAccountRows)
  return rows.map(({ at }) => (at === 'infinity' ? Number.POSITIVE_INFINITY : Date.parse(at)))
}

const lastEnd = async () => {
  const ends = await db.database
    .select({ endsAt: accountChanges.endsAt })
    .from(accountChanges)
    .where(eq(accountChanges.link, 'open'))
  return Math.max(...ends.map(({ endsAt }) => endsAt?.getTime() ?? 0))
}

test('the data is erased when the last link ends, which a delivery can move', async () => {
  await setPassword('second')
  await remove()
  const atFirst = await lastEnd()
  expect(await eraseTimes()).toEqual([atFirst])
  for (const { id } of await listChanges(db.database, account.userId)) {
    await db.database.transaction((tx) => storeDelivery(tx, id))
  }
  expect(await lastEnd()).toBeLessThan(atFirst)
  expect(await eraseTimes()).toEqual([await lastEnd()])
  await sweepRecoveries(100)
  expect(await eraseArchives()).toBe(0)
  await endLinks()
  const [token] = await linksIn('a@example.com')
  expect(await follow(token)).toBeUndefined()
  await sweepRecoveries(100)
  expect(await db.database.$count(accountChanges)).toBe(0)
  expect(await eraseArchives()).toBeGreaterThan(0)
  expect(await archived()).toBe(0)
})

test('nothing is erased while a recovery is open, and a rejected one leaves the account deleted', async () => {
  await setEmail('b@example.com')
  await remove()
  const [token] = await linksIn('b@example.com')
  expect(await follow(token)).toEqual({ state: 'admin' })
  expect(await eraseTimes()).toEqual([Number.POSITIVE_INFINITY])
  await endLinks()
  await sweepRecoveries(100)
  expect(await eraseArchives()).toBe(0)
  const reject = () => db.database.transaction((tx) => rejectRecovery(tx, account.userId))
  expect(await reject()).toBe(true)
  expect(await findUser()).toBeUndefined()
  expect(await eraseTimes()).toEqual([await lastEnd()])
  expect(await lastEnd()).toBeGreaterThan(Date.now() - 60_000)
})

test('an abandoned recovery leaves the account deleted', async () => {
  await setPassword('second')
  await remove()
  const [token] = await linksIn('a@example.com')
  await follow(token)
  await db.database.update(recoveries).set({ readyAt: sql`now() - interval '8 days'` })
  await sweepRecoveries(100)
  expect(await db.database.$count(recoveries)).toBe(0)
  expect(await findUser()).toBeUndefined()
  await eraseArchives()
  expect(await archived()).toBe(0)
})

test.each(['existing', 'deleted'])('an admin erases an account at once: %s', async (state) => {
  await setEmail('b@example.com')
  if (state === 'deleted') await remove()
  const [token] = await linksIn('a@example.com')
  await follow(token)
  const erase = () => db.database.transaction((tx) => deleteUserAndData(tx, account.userId))
  expect(await erase()).toBe(true)
  expect(await erase()).toBe(false)
  for (const table of [users, accountChanges, recoveries, deletedAccountRows]) {
    expect(await db.database.$count(table)).toBe(0)
  }
  expect(await follow(token)).toBeUndefined()
})

test('a deletion that an older factor confirmed has no link, and its email stays reserved', async () => {
  await setEmail('b@example.com')
  await remove({ kind: 'passkey', id: 'older' })
  expect(await linksIn('b@example.com')).toEqual([])
  const taking = (email: string) => db.database.insert(users).values({ email, name: 'Thief' })
  await expect(taking('b@example.com')).rejects.toThrow()
  await expect(taking('a@example.com')).rejects.toThrow()
  const [token] = await linksIn('a@example.com')
  const browser = newBrowser()
  await follow(token, browser)
  await endLinks()
  await expect(taking('b@example.com')).rejects.toThrow()
  await prove(token, browser)
  expect(await complete(token, browser)).toMatchObject({ email: 'a@example.com' })
  await taking('b@example.com')
})
