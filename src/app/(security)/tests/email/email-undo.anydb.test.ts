import { giveAllProofs } from '@tests/support/change-proof'
import { newClient } from '@tests/support/client'
import { testDatabase } from '@tests/support/database'
import { databaseRows, lastEvent, snapshotDatabase } from '@tests/support/database-rows'
import { newScope } from '@tests/support/scope'
import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { createLink, findLink } from '@/core/auth/accounts/links'
import { resetPasswordWithLink } from '@/core/auth/accounts/sign-up'
import { mailQueue, sessions, users, verificationTokens } from '@/core/db/schema'
import type { SignedInScope } from '@/core/guard/policy'
import { confirmEmailChange, requestEmailChange } from '../../account/email/actions'
import { createRecoveryCodes } from '../../actions'
import { findPendingChange } from '../../data/email-changes'
import { findUndo, undoEmailChange } from '../../data/email-undos'
import { rememberBrowser } from '../../data/factors/browsers'
import { findFactors } from '../../data/factors/factors'
import { exportSecurity } from '../../data/overview'
import {
  authenticatorApps,
  emailUndos,
  passkeys,
  recoveryCodes,
  rememberedBrowsers,
} from '../../schema'
import { addApp, password as earlierPassword, newUser, succeeded } from '../users'
import { testMailbox, tokenIn } from './mailbox'

const db = testDatabase()
const { userOf } = databaseRows(db)
const mailbox = testMailbox(db)

beforeAll(() => void newClient())

let count = 0

/** Returns the scope of the renewed session. */
async function changeEmail(scope: SignedInScope) {
  count += 1
  const email = `thief-${count}@example.org`
  succeeded(await requestEmailChange.run(scope, { email }))
  const token = tokenIn(await mailbox.newest(email))
  const { session } = succeeded(await confirmEmailChange.run(scope, { token }))
  return { email, scope: { ...scope, session } }
}

/** A user whose email was changed, and the link that undoes it. */
async function changed() {
  const user = await newUser(db.database)
  return { ...user, ...(await changedFrom(user)) }
}

async function changedFrom({ email, scope }: { email: string; scope: SignedInScope }) {
  const thief = await changeEmail(scope)
  return { thief, token: tokenIn(await mailbox.newest(email)) }
}

const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000)

const passkey = (userId: string) => ({
  id: `key-${crypto.randomUUID()}`,
  userId,
  name: 'Key',
  publicKey: Buffer.alloc(1),
  counter: 0,
  synced: false,
})

test('restores the email, ends every session and leads to a new password', async () => {
  const { id, email, thief, token } = await changed()
  expect(await findUndo(token)).toMatchObject({ userId: id, email })
  const undone = await undoEmailChange(newScope(), token)
  expect((await userOf(email))?.id).toBe(id)
  expect(await userOf(thief.email)).toBeUndefined()
  expect(await db.database.$count(sessions, eq(sessions.userId, id))).toBe(0)
  expect(await lastEvent(db.database)).toMatchObject({
    action: 'undo_email_change',
    outcome: 'success',
    targetId: id,
    details: { by: 'link', revoked: 1, factors: 0 },
  })
  expect((await newClient().signIn(email, earlierPassword)).status).toBe(401)
  const resetToken = 'resetToken' in undone ? undone.resetToken : ''
  expect(await findLink('reset_password', resetToken)).toEqual({ email, userId: id })
  const password = 'other words in a row'
  const reset = await resetPasswordWithLink(newScope(), { token: resetToken, password, keep: [] })
  expect(reset.outcome).toBe('done')
  expect((await newClient().signIn(email, password)).status).toBe(200)
  expect((await mailbox.newest(thief.email)).subject).toBe('Your email was changed back')
})

test('removes the factors that were added after the change', async () => {
  const { id, thief, token } = await changed()
  await addApp(db.database, thief.scope)
  await db.database.insert(passkeys).values(passkey(id))
  await rememberBrowser(db.database, newScope(), id, 'device')
  await undoEmailChange(newScope(), token)
  expect(await findFactors(id)).toEqual({ app: false, passkeys: 0, recoveryCodes: 0 })
  expect(await db.database.$count(rememberedBrowsers, eq(rememberedBrowsers.userId, id))).toBe(0)
  expect(await lastEvent(db.database)).toMatchObject({ details: { factors: 2 } })
})

test('removes a passkey that a thief has added shortly before the change', async () => {
  const user = await newUser(db.database)
  await db.database.insert(passkeys).values([
    { ...passkey(user.id), name: 'Thief', createdAt: daysAgo(6) },
    { ...passkey(user.id), name: 'Owner', createdAt: daysAgo(8) },
  ])
  const { token } = await changedFrom(user)
  await undoEmailChange(newScope(), token)
  const left = await db.database
    .select({ name: passkeys.name })
    .from(passkeys)
    .where(eq(passkeys.userId, user.id))
  expect(left).toEqual([{ name: 'Owner' }])
})

test('keeps the factors from before, but not recovery codes that a thief has created', async () => {
  const user = await newUser(db.database)
  await addApp(db.database, user.scope)
  await db.database.insert(passkeys).values(passkey(user.id))
  await db.database.update(authenticatorApps).set({ confirmedAt: daysAgo(8) })
  for (const table of [passkeys, recoveryCodes]) {
    await db.database.update(table).set({ createdAt: daysAgo(8) })
  }
  const { thief, token } = await changedFrom(user)
  await undoEmailChange(newScope(), token)
  expect(await findFactors(user.id)).toEqual({ app: true, passkeys: 1, recoveryCodes: 10 })

  const { session } = thief.scope
  await db.database.insert(sessions).values({
    id: session.id,
    userId: user.id,
    tokenHash: Buffer.alloc(32, 7),
    expiresAt: session.expiresAt,
  })
  const again = await changedFrom({ email: user.email, scope: thief.scope })
  await giveAllProofs(db.database, again.thief.scope, 'add_factor')
  succeeded(await createRecoveryCodes.run(again.thief.scope, {}))
  await undoEmailChange(newScope(), again.token)
  expect(await findFactors(user.id)).toEqual({ app: true, passkeys: 1, recoveryCodes: 0 })
})

test('voids what the new mailbox has: links, a pending change and newer undo links', async () => {
  const { id, email, thief, token } = await changed()
  const owner = { email: thief.email, userId: id }
  await createLink(db.database, 'secure_account', owner)
  await createLink(db.database, 'reset_password', owner)
  await createLink(db.database, 'secure_account', { email, userId: id })
  const { thief: second, token: newer } = await changedFrom(thief)
  succeeded(await requestEmailChange.run(second.scope, { email: 'third@example.org' }))
  await undoEmailChange(newScope(), token)
  expect((await userOf(email))?.id).toBe(id)
  expect(await findPendingChange(id)).toBeUndefined()
  expect(await findUndo(newer)).toBeUndefined()
  expect(await undoEmailChange(newScope(), newer)).toEqual({ error: 'invalid_link' })
  const left = await db.database
    .select({ purpose: verificationTokens.purpose, email: verificationTokens.email })
    .from(verificationTokens)
    .where(eq(verificationTokens.userId, id))
  expect(left.map(({ purpose }) => purpose).sort()).toEqual(['reset_password', 'secure_account'])
  expect(left.every((link) => link.email === email)).toBe(true)
})

test('of two changes the first can still be undone after the second was', async () => {
  const { id, email, thief, token } = await changed()
  const { token: newer } = await changedFrom(thief)
  await undoEmailChange(newScope(), newer)
  expect((await userOf(thief.email))?.id).toBe(id)
  await undoEmailChange(newScope(), token)
  expect((await userOf(email))?.id).toBe(id)
})

test('a new password does not take the undo link away', async () => {
  const { id, email, thief, token } = await changed()
  const reset = await createLink(db.database, 'reset_password', { email: thief.email, userId: id })
  const password = 'words of the thief'
  await resetPasswordWithLink(newScope(), { token: reset, password, keep: [] })
  expect(await undoEmailChange(newScope(), token)).toHaveProperty('resetToken')
  expect((await userOf(email))?.id).toBe(id)
})

test('changes nothing if another account has the old email', async () => {
  const { email, token } = await changed()
  await db.database.insert(users).values({ email, name: 'Other' })
  await db.database.delete(mailQueue)
  const before = await snapshotDatabase(db.database)
  expect(await undoEmailChange(newScope(), token)).toEqual({ error: 'email_taken' })
  expect(await snapshotDatabase(db.database)).toBe(before)
  expect(await db.database.$count(mailQueue)).toBe(0)
  expect(await lastEvent(db.database)).toMatchObject({
    action: 'undo_email_change',
    outcome: 'failure',
    details: { reason: 'email_taken' },
  })
})

test.each(['reused', 'expired', 'invented'])('refuses a link that is %s', async (kind) => {
  const { id, token } = await changed()
  const [row] = await db.database.select().from(emailUndos).where(eq(emailUndos.userId, id))
  const lifetimeMs = (row?.expiresAt.getTime() ?? 0) - (row?.changedAt.getTime() ?? 0)
  expect(lifetimeMs).toBe(7 * 24 * 60 * 60_000)
  if (kind === 'reused') await undoEmailChange(newScope(), token)
  if (kind === 'expired') {
    await db.database.update(emailUndos).set({ expiresAt: new Date(Date.now() - 1000) })
  }
  const used = kind === 'invented' ? 'a'.repeat(43) : token
  const before = await snapshotDatabase(db.database)
  expect(await undoEmailChange(newScope(), used)).toEqual({ error: 'invalid_link' })
  expect(await snapshotDatabase(db.database)).toBe(before)
  expect(await lastEvent(db.database)).toMatchObject({
    action: 'undo_email_change',
    outcome: 'failure',
  })
})

test('of 50 parallel uses of one link one wins', async () => {
  const { token } = await changed()
  const results = await Promise.all(
    Array.from({ length: 50 }, () => undoEmailChange(newScope(), token)),
  )
  expect(results.filter((result) => 'resetToken' in result)).toHaveLength(1)
})

test('the data export has the former email and the mail to it, but not that of its next owner', async () => {
  const { email, scope } = await newUser(db.database)
  succeeded(await requestEmailChange.run(scope, { email: 'wanted@example.org' }))
  expect((await exportSecurity(scope)).queuedMail).toMatchObject([
    { purpose: 'security.confirm_email', email: 'wanted@example.org' },
  ])
  const token = tokenIn(await mailbox.newest('wanted@example.org'))
  const browser = 'ab'.repeat(32)
  const link = { purpose: 'security.sign_in_link', email, data: { browser, callbackUrl: '/home' } }
  await db.database.insert(mailQueue).values(link)
  const { session } = succeeded(await confirmEmailChange.run(scope, { token }))
  await db.database.insert(users).values({ email, name: 'Other' })
  const createdAt = new Date(Date.now() + 1000)
  await db.database.insert(mailQueue).values({ purpose: 'reset_password', email, createdAt })
  const { formerEmails, queuedMail } = await exportSecurity({ ...scope, session })
  expect(formerEmails).toMatchObject([{ email }])
  expect(queuedMail.toSorted((a, b) => a.purpose.localeCompare(b.purpose))).toMatchObject([
    { purpose: 'security.email_changed', email },
    { purpose: 'security.sign_in_link', email, data: { callbackUrl: '/home' } },
  ])
  expect(JSON.stringify(queuedMail)).not.toContain(browser)
})
