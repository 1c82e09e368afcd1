import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { accountChanges, auditEvents, users } from '#db/schema'
import { changeSignIn } from '#recovery/changes'
import { findAccountByEmail, reviewRecovery } from '#recovery/review'
import { viewRecovery } from '#recovery/view'
import { decideByCommand, describeReview } from '#server/recovery-command'
import { complete, follow, newBrowser, testAccount } from './test-account'

const { db, account, setEmail, setPassword, link, linksIn } = testAccount()

const review = () => reviewRecovery(db.database, account.userId)

test('the timeline has what changed, by whom, where the notice went and whether its link works', async () => {
  await setPassword('second')
  await db.database.update(accountChanges).set({ link: 'ended' })
  await setEmail('b@example.com')
  await db.database.transaction((transaction) =>
    changeSignIn(transaction, { userId: account.userId, by: 'admin' }, () =>
      transaction.execute(sql`delete from passwords where user_id = ${account.userId}`),
    ),
  )
  const { timeline, recovery, emails } = await review()
  const facts = { confirmed: false, by: 'user', email: 'a@example.com' }
  expect(timeline).toMatchObject([
    { ...facts, sentences: ['The password was changed.'], linkEndsAt: undefined },
    { ...facts, sentences: ['The email was changed from a@example.com to b@example.com.'] },
    { by: 'admin', email: undefined, sentences: ['The password was removed.'] },
  ])
  expect(timeline[1]?.linkEndsAt?.getTime()).toBeGreaterThan(Date.now())
  expect(timeline[2]?.linkEndsAt).toBeUndefined()
  expect(recovery).toBeUndefined()
  expect(emails).toEqual(['a@example.com', 'b@example.com'])
})

test('an account is found by each email of its window, also when it is deleted', async () => {
  const find = (email: string) => findAccountByEmail(db.database, email)
  await setEmail('b@example.com')
  await setEmail('c@example.com')
  for (const email of ['a@example.com', 'b@example.com', 'c@example.com']) {
    expect(await find(email)).toBe(account.userId)
  }
  expect(await find('d@example.com')).toBeUndefined()
  await db.database.delete(users).where(eq(users.id, account.userId))
  expect(await find('b@example.com')).toBe(account.userId)
})

const view = (token: string | undefined, browser = newBrowser()) => viewRecovery(token, browser)

test('the page tells the opener from the reader of another email', async () => {
  await link('github')
  await db.database.delete(accountChanges)
  await setEmail('b@example.com')
  const [token] = await linksIn('a@example.com')
  expect(await view(token)).toMatchObject({ state: 'new', opener: undefined, mayHaveLeft: true })
  await follow(token)
  expect(await view(token)).toMatchObject({ state: 'waiting', opener: 'you', mayHaveLeft: true })
  const [objection] = await linksIn('b@example.com')
  const seen = await view(objection)
  expect(seen).toMatchObject({ state: 'waiting', opener: 'another', mayHaveLeft: false })
  // A password or code changes nothing at an email that was added later.
  expect(seen?.provable).toEqual([{ kind: 'provider', name: 'github' }])
  expect((await view(token))?.provable.map(({ kind }) => kind)).toEqual(['password', 'provider'])
  await follow(objection)
  expect(await view(token)).toMatchObject({ state: 'admin', mayHaveLeft: false })
})

test('an owner without another email is not asked whether they have left it', async () => {
  await setPassword('second')
  const [token] = await linksIn('a@example.com')
  expect(await view(token)).toMatchObject({ state: 'new', mayHaveLeft: false })
})

test('the command opens, allows and rejects, and says why it does not', async () => {
  const decide = (decision: Parameters<typeof decideByCommand>[1]) =>
    decideByCommand(account.userId, decision)
  expect(await decide('open')).toEqual({ error: expect.stringContaining('/forgot') })
  expect(await decide('reject')).toEqual({ error: expect.stringContaining('not frozen') })
  await setEmail('b@example.com')
  expect(await decide('open')).toHaveProperty('text')
  expect(await decide('open')).toHaveProperty('error')
  expect(await describeReview(account.userId)).toMatch(
    /^Account b@example\.com \(frozen\)\nOpened .+ UTC by an admin\.\nAn admin decides/,
  )
  expect(await decide({ allow: 'c@example.com' })).toEqual({
    error: expect.stringContaining('These can: a@example.com, b@example.com.'),
  })
  const allowed = await decide({ allow: 'a@example.com' })
  const [, token] = /\/recover\?token=([\w-]{43})/.exec(JSON.stringify(allowed)) ?? []
  expect(await complete(token)).toMatchObject({ email: 'a@example.com' })
  expect(await describeReview(account.userId)).toBe(
    'Account a@example.com (not frozen)\n\nNo change in the last 30 days can be taken back.',
  )
  const events = await db.database.select().from(auditEvents)
  const byCommand = events.filter(({ ip }) => ip === 'command line')
  expect(byCommand.map(({ action }) => action)).toEqual(['open_user_recovery', 'allow_recovery'])
})
