import { randomUUID } from 'node:crypto'
import { createDemoAccounts } from 'plinth/auth/accounts/users'
import { auditEvents, failedMail, mailQueue, recoveries, users } from 'plinth/db/schema'
import type { SignedInScope } from 'plinth/guard/policy'
import { configure, signedInScope, testDatabase } from 'plinth/testing'
import { beforeAll, expect, test } from 'vitest'
import { firstSteps } from '../data/first-steps'
import { homeCards, search } from '../home'

const db = testDatabase()

let admin: SignedInScope

beforeAll(async () => {
  await createDemoAccounts(db.database)
  admin = await signedInScope(db.database, 'admin@example.com')
})

const card = (title: string) => homeCards.find((candidate) => candidate.title === title)
const titles = async () => (await firstSteps()).map(({ title }) => title)

test('a new admin is led to invitations and mail until both are set up', async () => {
  configure({ SIGN_UP: 'invite' })
  expect(await titles()).toEqual(expect.arrayContaining(['Invite users', 'Set up mail']))
  const content = await card('First steps')?.load(admin)
  expect(content?.items?.[0]).toMatchObject({ label: 'Invite users', href: '/admin/invitations' })
  configure({ SIGN_UP: 'open', SMTP_URL: 'smtp://localhost', MAIL_FROM: 'a@example.com' })
  expect(await titles()).not.toContain('Set up mail')
  expect((await firstSteps())[0]?.text).toContain('Sign-up is open')
  await db.database.insert(users).values({ email: 'fourth@example.com', name: 'Fourth' })
  expect(await titles()).not.toContain('Invite users')
})

test('shows the newest users and events as sentences', async () => {
  expect(await card('Recent activity')?.load(admin)).toBeUndefined()
  await db.database.insert(auditEvents).values({
    action: 'sign_in',
    outcome: 'success',
    actorId: admin.session.user.id,
    details: { by: 'password' },
  })
  const content = await card('Recent activity')?.load(admin)
  expect(content?.items).toMatchObject([{ label: 'Demo Admin signed in with a password' }])
  const newest = await card('New users')?.load(admin)
  expect(newest?.items?.[0]).toMatchObject({ label: 'Fourth', detail: 'fourth@example.com' })
})

test('warns of mail that is not sent', async () => {
  const load = async () => card('Mail is not being sent')?.load(admin)
  await db.database.insert(mailQueue).values({ purpose: 'sign_up', email: 'a@example.com' })
  expect(await load()).toBeUndefined()
  await db.database.update(mailQueue).set({ attempts: 3 })
  expect(await load()).toMatchObject({
    isWarning: true,
    text: 'One message failed and will be tried again.',
  })
  const mail = { purpose: 'sign_up', email: 'b@example.com', data: {}, attempts: 16 }
  const row = { ...mail, createdAt: new Date(), reason: 'ECONNREFUSED CONN' }
  await db.database.insert(failedMail).values([
    { ...row, id: 1 },
    { ...row, id: 2 },
  ])
  expect(await load()).toMatchObject({
    text: '2 messages could not be sent. One message failed and will be tried again. The last error: ECONNREFUSED CONN',
    actions: [{ href: '/admin/jobs#mail', label: 'View mail' }],
  })
})

test('tells of frozen accounts that wait for a decision', async () => {
  const load = async () => card('Frozen accounts wait for you')?.load(admin)
  const times = { openedAt: new Date(), readyAt: new Date() }
  const { id: userId } = admin.session.user
  const recovery = { ...times, openedBy: ['a@example.com'], userId }
  await db.database.insert(recoveries).values({ ...recovery, state: 'waiting' })
  expect(await load()).toBeUndefined()
  await db.database.update(recoveries).set({ state: 'admin' })
  expect(await load()).toMatchObject({
    isWarning: true,
    text: 'One account is frozen until an admin decides who gets it back.',
    items: [{ href: `/admin/users/${userId}/recovery`, detail: 'admin@example.com' }],
  })
  const deleted = { ...recovery, userId: randomUUID(), state: 'admin' as const }
  await db.database.insert(recoveries).values(deleted)
  expect((await load())?.items?.map(({ label }) => label)).toContain('Deleted account')
  await db.database.delete(recoveries)
})

test('the search finds users by part of the name or email, for admins only', async () => {
  expect(await search.find(admin, 'demo vi')).toMatchObject([
    { label: 'Demo Viewer', detail: 'viewer@example.com' },
  ])
  expect(await search.find(admin, 'editor@')).toHaveLength(1)
  const editor = await signedInScope(db.database, 'editor@example.com')
  for (const { authorize } of [search, ...homeCards]) {
    expect([authorize(admin), authorize(editor)]).toEqual([true, false])
  }
})
