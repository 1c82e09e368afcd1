import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { accountChanges, mailQueue, recoveries, users } from '#db/schema'
import { allowRecovery, openRecoveryFor, rejectRecovery } from '#recovery/decide'
import { sweepRecoveries } from '#recovery/sweep'
import { complete, follow, testAccount } from './test-account'

const { db, account, setEmail, setPassword, linksIn, signIn } = testAccount()

const decide = (run: typeof rejectRecovery) =>
  db.database.transaction((transaction) => run(transaction, account.userId))

const allow = (email: string) =>
  db.database.transaction((transaction) => allowRecovery(transaction, account.userId, email))

/** Two emails want the account. */
async function openFromBoth() {
  await setEmail('b@example.com')
  const [token = ''] = await linksIn('a@example.com')
  await follow(token)
  const [objection = ''] = await linksIn('b@example.com')
  await follow(objection)
  return { token, objection }
}

test('an admin lets one email complete the recovery, and the other one cannot', async () => {
  const { token, objection } = await openFromBoth()
  expect(await allow('c@example.com')).toBe(false)
  expect(await allow('a@example.com')).toBe(true)
  expect(await complete(objection)).toBeUndefined()
  const [link] = (await linksIn('a@example.com')).slice(-1)
  expect(await complete(link)).toMatchObject({ email: 'a@example.com' })
  expect(await complete(token)).toBeUndefined()
})

test('the reader of a later email that an admin allows keeps this email', async () => {
  await openFromBoth()
  await allow('b@example.com')
  const [link] = (await linksIn('b@example.com')).slice(-1)
  const chosen = { email: 'b@example.com' }
  expect(await complete(link, undefined, chosen)).toMatchObject(chosen)
})

test('the decision of an admin stays if the other email objects again', async () => {
  const { objection } = await openFromBoth()
  await allow('a@example.com')
  expect(await follow(objection)).toEqual({ state: 'allowed' })
  const [link] = (await linksIn('a@example.com')).slice(-1)
  expect(await complete(link)).toMatchObject({ email: 'a@example.com' })
})

test('an admin freezes an account once, and only if a change can be taken back', async () => {
  expect(await decide(openRecoveryFor)).toBe(false)
  await setEmail('b@example.com')
  expect(await decide(openRecoveryFor)).toBe(true)
  expect(await decide(openRecoveryFor)).toBe(false)
  await expect(signIn()).rejects.toMatchObject({ cause: { code: 'PL004' } })
  const [recovery] = await db.database.select().from(recoveries)
  expect(recovery).toMatchObject({ state: 'admin', openedBy: [] })
  expect(await purposes()).toContain('recovery_opened b@example.com')
})

test('an account that an admin froze is not completed without proof or decision', async () => {
  await setEmail('b@example.com')
  const [token] = await linksIn('a@example.com')
  await decide(openRecoveryFor)
  expect(await follow(token)).toEqual({ state: 'admin' })
  await db.database.update(recoveries).set({ readyAt: sql`now() - interval '1 hour'` })
  expect(await complete(token)).toBeUndefined()
  expect(await decide(rejectRecovery)).toBe(true)
  expect(await follow(token)).toBeUndefined()
})

test('links live on after an admin froze the account and rejected it', async () => {
  await setEmail('b@example.com')
  const [token] = await linksIn('a@example.com')
  await decide(openRecoveryFor)
  await decide(rejectRecovery)
  expect(await follow(token)).toEqual({ state: 'waiting' })
})

test('a rejected recovery leaves the account as it is, and its links end', async () => {
  const { token } = await openFromBoth()
  expect(await decide(rejectRecovery)).toBe(true)
  expect(await decide(rejectRecovery)).toBe(false)
  expect(await follow(token)).toBeUndefined()
  const [user] = await db.database.select().from(users)
  expect(user?.email).toBe('b@example.com')
  await signIn()
  const queued = await db.database.select().from(mailQueue)
  const rejected = queued.filter(({ purpose }) => purpose === 'recovery_rejected')
  expect(rejected.map(({ email, data }) => [email, data])).toEqual([
    ['a@example.com', { isOpener: true, isCurrent: false }],
    ['b@example.com', { isOpener: true, isCurrent: true }],
  ])
})

test('links of emails that did not open the rejected recovery live on', async () => {
  await setEmail('b@example.com')
  await setPassword('second')
  const [stolen] = await linksIn('b@example.com')
  await follow(stolen)
  await db.database
    .update(accountChanges)
    .set({ deliveredAt: sql`now() - interval '6 days'`, at: sql`now() - interval '6 days'` })
  await decide(rejectRecovery)
  const [left] = await db.database.select().from(accountChanges).where(sql`link = 'open'`)
  expect(left?.email).toBe('a@example.com')
  expect(left?.endsAt?.getTime()).toBeGreaterThan(Date.now() + 6.9 * 24 * 60 * 60 * 1000)
})

const purposes = async () => {
  const queued = await db.database.select().from(mailQueue).orderBy(mailQueue.id)
  return queued.map(({ purpose, email }) => `${purpose} ${email}`)
}

test('each email is reminded once, a day before the wait ends', async () => {
  await setEmail('b@example.com')
  const [token] = await linksIn('a@example.com')
  await follow(token)
  await db.database.delete(mailQueue)
  await sweepRecoveries(100)
  expect(await purposes()).toEqual([])
  await db.database.update(recoveries).set({ readyAt: sql`now() + interval '23 hours'` })
  await sweepRecoveries(100)
  await sweepRecoveries(100)
  expect(await purposes()).toEqual([
    'recovery_reminder a@example.com',
    'recovery_reminder b@example.com',
  ])
})

test('a recovery that is not completed for seven days ends', async () => {
  await setEmail('b@example.com')
  const [token] = await linksIn('a@example.com')
  await follow(token)
  await db.database.update(recoveries).set({ readyAt: sql`now() - interval '8 days'` })
  await sweepRecoveries(100)
  expect(await db.database.$count(recoveries)).toBe(0)
  await signIn()
})

test('an admin decides without a time limit', async () => {
  await openFromBoth()
  await db.database.update(recoveries).set({ readyAt: sql`now() - interval '80 days'` })
  await sweepRecoveries(100)
  expect(await db.database.$count(recoveries)).toBe(1)
})

test('a change is deleted when its link and all earlier ones have ended', async () => {
  await setPassword('second')
  await setPassword('third')
  const setEnd = (position: 'min' | 'max', interval: string) =>
    db.database
      .update(accountChanges)
      .set({ endsAt: sql`now() + ${interval}::interval` })
      .where(sql`position = (select ${sql.raw(position)}(position) from account_changes)`)
  await setEnd('max', '-1 second')
  await sweepRecoveries(100)
  expect(await db.database.$count(accountChanges)).toBe(2)
  await setEnd('min', '-1 second')
  await sweepRecoveries(100)
  expect(await db.database.$count(accountChanges)).toBe(2)
  // Its notice is sent by then.
  await db.database.update(accountChanges).set({ at: sql`now() - interval '25 hours'` })
  await sweepRecoveries(100)
  expect(await db.database.$count(accountChanges)).toBe(0)
})
