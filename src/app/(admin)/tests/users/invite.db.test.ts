import { and, eq, sql } from 'drizzle-orm'
import { accountMail } from 'plinth/auth/accounts/account-mail'
import { createLink, findLink } from 'plinth/auth/accounts/links'
import { finishSignUp } from 'plinth/auth/accounts/sign-up'
import { createDemoAccounts } from 'plinth/auth/accounts/users'
import { env } from 'plinth/config/env'
import { accountChanges, mailQueue, users, verificationTokens } from 'plinth/db/schema'
import type { SignedInScope } from 'plinth/guard/policy'
import { lastEvent, newScope, signedInScope, testDatabase } from 'plinth/testing'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { addressesField } from '../../addresses'
import { cancelInvitation, inviteUsers, resendInvitation } from '../../admin/invitations/actions'
import { listInvitations } from '../../data/invitations'

const db = testDatabase()

let admin: SignedInScope

beforeAll(async () => {
  await createDemoAccounts(db.database)
  admin = await signedInScope(db.database, 'admin@example.com')
})

beforeEach(async () => {
  Object.assign(env(), { SIGN_UP: 'invite' })
  await db.database.delete(mailQueue)
  await db.database.delete(verificationTokens)
})

const email = 'invited@example.com'

type Role = 'viewer' | 'editor' | 'admin'

function inviteAs(role: Role, text: string, confirmed?: boolean) {
  const emails = addressesField.parse(text)
  return inviteUsers.run(admin, { emails, role, confirmed })
}

const listed = async () => (await listInvitations()).invitations

async function makeOlder() {
  const createdAt = sql`now() - interval '2 minutes'`
  await db.database.update(mailQueue).set({ createdAt })
  await db.database.update(verificationTokens).set({ createdAt })
}

/** As the worker does, without sending it. */
async function sendQueued(): Promise<string> {
  const [queued] = await db.database.delete(mailQueue).returning()
  const message =
    queued && (await accountMail.invitation({ email: queued.email, data: queued.data }))
  return /token=([\w-]+)/.exec(message?.text ?? '')?.[1] ?? ''
}

test('is listed from the queue to the sent link, until it is canceled', async () => {
  expect(await inviteAs('editor', email)).toMatchObject({ sent: [email], rejected: [] })
  expect(await listed()).toMatchObject([{ email, role: 'editor', expiresAt: undefined }])
  await sendQueued()
  expect(await listed()).toMatchObject([{ email, role: 'editor', expiresAt: expect.any(Date) }])
  expect(await cancelInvitation.run(admin, { email })).toEqual({ canceled: true })
  expect(await listed()).toEqual([])
  expect(await cancelInvitation.run(admin, { email })).toMatchObject({ code: 'conflict' })
})

test('gives the invited user the role, and an earlier link no other one', async () => {
  await createLink(db.database, 'invitation', { email, userId: null, role: 'admin' })
  await makeOlder()
  await inviteAs('editor', email)
  expect(await listed()).toMatchObject([{ email, role: 'editor' }])
  const token = await sendQueued()
  const account = { token, name: 'Guest', password: 'a few words in a row' }
  const done = await finishSignUp(newScope(), 'invitation', account)
  expect(done).toMatchObject({ signedIn: { session: { user: { email, role: 'editor' } } } })
  await db.database.delete(users).where(eq(users.email, email))
})

test('sends to several addresses, and names each that is not invited with the reason', async () => {
  const text = ' One@Example.com, two@example.com;one@example.com\nnot-an-email viewer@example.com '
  const result = await inviteAs('viewer', text)
  expect(result).toMatchObject({
    text: 'Invitation sent to one@example.com, two@example.com.',
    sent: ['one@example.com', 'two@example.com'],
    rejected: [
      { email: 'not-an-email', reason: 'not a valid email' },
      { email: 'viewer@example.com', reason: 'already has an account' },
    ],
  })
  expect((await listed()).map(({ email }) => email).toSorted()).toEqual([
    'one@example.com',
    'two@example.com',
  ])
  expect(await lastEvent(db.database)).toMatchObject({
    action: 'invite_user',
    outcome: 'success',
    details: { role: 'viewer', count: 2 },
  })
})

test('is refused with the reasons if no address can be invited', async () => {
  const refused = await inviteAs('viewer', 'viewer@example.com x@')
  expect(refused).toMatchObject({ code: 'conflict', errors: [{ field: 'emails' }] })
  expect(refused).toHaveProperty('message', expect.stringContaining('x@ (not a valid email)'))
  expect(await db.database.$count(mailQueue)).toBe(0)
})

test('as an admin needs a confirmation', async () => {
  expect(await inviteAs('admin', email)).toMatchObject({
    code: 'invalid',
    errors: [{ field: 'confirmed' }],
  })
  expect(await db.database.$count(mailQueue)).toBe(0)
  expect(await inviteAs('admin', email, true)).toMatchObject({ sent: [email] })
  expect(await listed()).toMatchObject([{ email, role: 'admin' }])
})

test('is sent again with its role, at most once a minute, and replaces the earlier link', async () => {
  await inviteAs('editor', email)
  const first = await sendQueued()
  expect(await resendInvitation.run(admin, { email })).toMatchObject({ code: 'rate_limited' })
  expect(await inviteAs('editor', email)).toMatchObject({ code: 'conflict' })
  expect(await db.database.$count(mailQueue)).toBe(0)
  await makeOlder()
  expect(await resendInvitation.run(admin, { email })).toEqual({ sent: true })
  const second = await sendQueued()
  expect(await findLink('invitation', first)).toBeUndefined()
  expect(await findLink('invitation', second)).toMatchObject({ email, role: 'editor' })
  await cancelInvitation.run(admin, { email })
  expect(await resendInvitation.run(admin, { email })).toMatchObject({ code: 'conflict' })
})

test('needs a recent sign-in, so that a stolen cookie makes no admin', async () => {
  const old = { ...admin.session, authenticatedAt: new Date(Date.now() - 11 * 60_000) }
  const emails = addressesField.parse(email)
  const fields = { emails, role: 'admin', confirmed: true } as const
  expect(await inviteUsers.run({ ...admin, session: old }, fields)).toMatchObject({
    code: 'reauthentication_required',
  })
  expect(await db.database.$count(mailQueue)).toBe(0)
})

test('is refused unless SIGN_UP is invite', async () => {
  Object.assign(env(), { SIGN_UP: 'open' })
  expect(await inviteAs('viewer', email)).toMatchObject({ code: 'conflict' })
  const queued = and(eq(mailQueue.purpose, 'invitation'), eq(mailQueue.email, email))
  expect(await db.database.$count(mailQueue, queued)).toBe(0)
})

test.each(['', ' , ;\n', 'a@example.com '.repeat(51)])('rejects the list %j', (text) => {
  expect(addressesField.safeParse(text).success).toBe(false)
})

test('an email that an account has left recently is refused with the reason', async () => {
  await db.database.insert(accountChanges).values({
    userId: crypto.randomUUID(),
    at: sql`now()`,
    email: 'left@example.com',
    newEmail: 'new@example.com',
    link: 'open',
    endsAt: sql`now() + interval '1 day'`,
  })
  expect(await inviteAs('viewer', `left@example.com ${email}`)).toMatchObject({
    sent: [email],
    rejected: [
      { email: 'left@example.com', reason: 'belongs to an account that was changed recently' },
    ],
  })
  const queued = await db.database.select().from(mailQueue)
  expect(queued.map((mail) => mail.email)).toEqual([email])
})
