import { eq } from 'drizzle-orm'
import { createLink, findLink } from 'plinth/auth/accounts/links'
import { hashPassword } from 'plinth/auth/passwords/hash'
import { storePassword } from 'plinth/auth/passwords/user-password'
import { findSession } from 'plinth/auth/sessions/cache'
import { createSession } from 'plinth/auth/sessions/session'
import { accountChanges, mailQueue, sessions, users } from 'plinth/db/schema'
import {
  databaseRows,
  lastEvent,
  newClient,
  newScope,
  snapshotDatabase,
  testDatabase,
} from 'plinth/testing'
import { isActionError } from 'plinth/universal/action-result'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  cancelEmailChange,
  confirmEmailChange,
  requestEmailChange,
} from '../../account/email/actions'
import { findEmailChange, findPendingChange } from '../../data/email-changes'
import { deleteExpired } from '../../data/factors/challenges'
import { exportSecurity } from '../../data/overview'
import { emailChanges } from '../../schema'
import { newUser, password, succeeded } from '../users'
import { testMailbox, tokenIn } from './mailbox'

const db = testDatabase()
const { userOf } = databaseRows(db)
const mailbox = testMailbox(db)

beforeAll(() => void newClient())

let count = 0
const newEmail = () => {
  count += 1
  return `new-${count}@example.org`
}

async function requested(email = newEmail()) {
  const user = await newUser(db.database)
  succeeded(await requestEmailChange.run(user.scope, { email }))
  return { ...user, changedTo: email, token: tokenIn(await mailbox.newest(email)) }
}

const noLongerWorks = { ok: false, code: 'conflict', message: expect.stringContaining('no longer') }

describe('a request', () => {
  test('changes nothing, is shown as pending and sends a link to the new email', async () => {
    const { id, email, scope, changedTo, token } = await requested()
    expect((await userOf(email))?.id).toBe(id)
    expect(await findPendingChange(id)).toMatchObject({ email: changedTo })
    expect(await exportSecurity(scope)).toMatchObject({ pendingEmailChange: { email: changedTo } })
    expect(await findEmailChange(token)).toMatchObject({ userId: id, email: changedTo })
    expect(await mailbox.receive(email)).toEqual([])
    const [message] = await mailbox.receive(changedTo)
    expect(message?.subject).toBe('Confirm your new email')
    expect(message?.text).toContain(`/account/email/confirm?token=${token}`)
    const [row] = await db.database.select().from(emailChanges).where(eq(emailChanges.userId, id))
    const lifetimeMs = (row?.expiresAt.getTime() ?? 0) - (row?.createdAt.getTime() ?? 0)
    expect(lifetimeMs).toBe(24 * 60 * 60_000)
  })

  test('needs a recent sign-in', async () => {
    const { scope } = await newUser(db.database)
    const session = { ...scope.session, authenticatedAt: new Date(Date.now() - 11 * 60_000) }
    const before = await snapshotDatabase(db.database)
    const result = await requestEmailChange.run({ ...scope, session }, { email: newEmail() })
    expect(result).toMatchObject({ code: 'reauthentication_required' })
    expect(await snapshotDatabase(db.database)).toBe(before)
    expect(await db.database.$count(mailQueue)).toBe(0)
  })

  test('replaces an earlier one', async () => {
    const { scope, token, changedTo } = await requested()
    const other = newEmail()
    succeeded(await requestEmailChange.run(scope, { email: other }))
    expect(await findEmailChange(token)).toBeUndefined()
    expect(await confirmEmailChange.run(scope, { token })).toMatchObject(noLongerWorks)
    expect(await mailbox.receive(changedTo)).toHaveLength(1)
    const second = tokenIn(await mailbox.newest(other))
    succeeded(await confirmEmailChange.run(scope, { token: second }))
    expect(await userOf(other)).toBeDefined()
  })

  test('can be sent again: the newest link works', async () => {
    const { scope, token, changedTo } = await requested()
    succeeded(await requestEmailChange.run(scope, { email: changedTo }))
    const messages = await mailbox.receive(changedTo)
    expect(messages).toHaveLength(2)
    expect(await findEmailChange(token)).toBeUndefined()
    expect(await findEmailChange(tokenIn(await mailbox.newest(changedTo)))).toBeDefined()
  })

  test('that was replaced before its mail was sent sends no mail', async () => {
    const { scope } = await newUser(db.database)
    const [first, second] = [newEmail(), newEmail()]
    succeeded(await requestEmailChange.run(scope, { email: first }))
    succeeded(await requestEmailChange.run(scope, { email: second }))
    expect(await mailbox.receive(first)).toEqual([])
    expect(await mailbox.receive(second)).toHaveLength(1)
  })

  test('can be canceled, once', async () => {
    const { id, scope, token } = await requested()
    succeeded(await cancelEmailChange.run(scope, {}))
    expect(await findPendingChange(id)).toBeUndefined()
    expect(await confirmEmailChange.run(scope, { token })).toMatchObject(noLongerWorks)
    expect(await cancelEmailChange.run(scope, {})).toMatchObject({ code: 'conflict' })
  })

  test('for the own email is refused', async () => {
    const { email, scope } = await newUser(db.database)
    expect(await requestEmailChange.run(scope, { email })).toMatchObject({
      code: 'invalid',
      errors: [{ field: 'email', message: 'This is already your email.' }],
    })
  })

  test('is limited per mailbox', async () => {
    const email = newEmail()
    const results: unknown[] = []
    for (let times = 0; times < 11; times += 1) {
      const { scope } = await newUser(db.database)
      results.push(await requestEmailChange.run({ ...scope, ip: newScope().ip }, { email }))
    }
    expect(results.filter(isActionError)).toMatchObject([{ code: 'rate_limited' }])
  })

  test('ends with a new password', async () => {
    const { id, token } = await requested()
    await storePassword(db.database, id, await hashPassword('other words in a row'))
    expect(await findEmailChange(token)).toBeUndefined()
  })
})

describe('an email that has an account', () => {
  test('is not disclosed: the response and the page are the same, its owner gets a notice', async () => {
    const other = await newUser(db.database)
    const { id, scope } = await newUser(db.database)
    const email = newEmail()
    const free = succeeded(await requestEmailChange.run(scope, { email }))
    const pendingFree = await findPendingChange(id)
    const taken = succeeded(await requestEmailChange.run(scope, { email: other.email }))
    expect([free, taken]).toEqual([{ email }, { email: other.email }])
    const pending = await findPendingChange(id)
    expect(Object.keys(pending ?? {})).toEqual(Object.keys(pendingFree ?? {}))
    const message = await mailbox.newest(other.email)
    expect(message.subject).toBe('Someone wanted to use your email')
    expect(message.text).not.toContain('token=')
    expect(message.text).toMatch(/\/account\/security\b/)
    const [row] = await db.database.select().from(emailChanges).where(eq(emailChanges.userId, id))
    expect(row?.tokenHash).toBeNull()
  })

  test('that was created after the mail makes the link invalid', async () => {
    const { id, email, scope, changedTo, token } = await requested()
    await db.database.insert(users).values({ email: changedTo, name: 'Other' })
    expect(await findEmailChange(token)).toBeUndefined()
    const before = await snapshotDatabase(db.database)
    expect(await confirmEmailChange.run(scope, { token })).toMatchObject(noLongerWorks)
    expect(await snapshotDatabase(db.database)).toBe(before)
    expect((await userOf(email))?.id).toBe(id)
    expect(await lastEvent(db.database)).toMatchObject({
      action: 'change_email',
      outcome: 'failure',
      targetId: id,
    })
  })
})

describe('the confirmation', () => {
  test('changes the email, renews this session and ends the others', async () => {
    const {
      id,
      email,
      user,
      scope,
      token: oldToken,
      changedTo,
      ...rest
    } = await requestedWithSession()
    const reset = await createLink(db.database, 'reset_password', { email, userId: id })
    const verifiedAt = user.emailVerifiedAt?.getTime() ?? 0
    const { token } = succeeded(await confirmEmailChange.run(scope, { token: rest.confirmation }))
    expect(await findSession(oldToken)).toBeUndefined()
    expect(await findSession(rest.otherToken)).toBeUndefined()
    expect(await findSession(token)).toMatchObject({ user: { id, email: changedTo } })
    expect(await db.database.$count(sessions, eq(sessions.userId, id))).toBe(1)
    const changed = await userOf(changedTo)
    expect(changed?.id).toBe(id)
    expect(changed?.emailVerifiedAt?.getTime()).toBeGreaterThan(verifiedAt)
    expect(await userOf(email)).toBeUndefined()
    expect(await findLink('reset_password', reset)).toBeUndefined()
    expect(await findPendingChange(id)).toBeUndefined()
    expect(await lastEvent(db.database)).toMatchObject({
      action: 'change_email',
      outcome: 'success',
      actorId: id,
      targetId: id,
    })
    const notice = await mailbox.newest(email)
    expect(notice.subject).toBe('The sign-in to your account was changed')
    expect(notice.text).toMatch(/\/recover\?token=[\w-]{43}/)
    expect(notice.text).toContain(`changed from ${email} to another one`)
    expect(notice.text).not.toContain(changedTo)
    const notices = await mailbox.receive(changedTo)
    expect(notices.map(({ text }) => text).join()).not.toContain('/recover')
  })

  /** Besides the session of the request there is one on another device. */
  async function requestedWithSession() {
    const { token: confirmation, ...user } = await requested()
    const device = { ip: '::1', userAgent: 'another' }
    const other = await createSession(db.database, user.user, device, { by: 'password' })
    const own = await createSession(db.database, user.user, device, { by: 'password' })
    const scope = { ...user.scope, session: own.session }
    return { ...user, scope, token: own.token, otherToken: other.token, confirmation }
  }

  test('keeps when and how the user signed in', async () => {
    const { scope, token } = await requested()
    const { session } = succeeded(await confirmEmailChange.run(scope, { token }))
    const { authenticatedAt, authenticatedBy } = scope.session
    expect(session).toMatchObject({ authenticatedAt, authenticatedBy })
  })

  test('is seen by the API at once: the new email signs in, the old one does not', async () => {
    const user = await newUser(db.database)
    const client = newClient()
    const { token: bearer } = await (
      await client.signIn(user.email, password, { transport: 'bearer' })
    ).json()
    const headers = { authorization: `Bearer ${bearer}` }
    expect(await client.session(headers)).toMatchObject({ user: { email: user.email } })
    const email = newEmail()
    succeeded(await requestEmailChange.run(user.scope, { email }))
    const token = tokenIn(await mailbox.newest(email))
    const renewed = succeeded(await confirmEmailChange.run(user.scope, { token }))
    expect(await client.session(headers)).toBeNull()
    const fresh = { authorization: `Bearer ${renewed.token}` }
    expect(await client.session(fresh)).toMatchObject({ user: { email } })
    expect((await client.signIn(user.email, password)).status).toBe(401)
    expect((await client.signIn(email, password)).status).toBe(200)
  })

  test.each(['reused', 'expired', 'invented'])('refuses a link that is %s', async (kind) => {
    const { scope, token } = await requested()
    let used = token
    let current = scope
    if (kind === 'reused') {
      const { session } = succeeded(await confirmEmailChange.run(scope, { token }))
      current = { ...scope, session }
    }
    if (kind === 'expired') {
      await db.database.update(emailChanges).set({ expiresAt: new Date(Date.now() - 1000) })
      expect(await findEmailChange(token)).toBeUndefined()
    }
    if (kind === 'invented') used = 'a'.repeat(43)
    const before = await snapshotDatabase(db.database)
    expect(await confirmEmailChange.run(current, { token: used })).toMatchObject(noLongerWorks)
    expect(await snapshotDatabase(db.database)).toBe(before)
  })

  test('refuses another user', async () => {
    const { email, token } = await requested()
    const other = await newUser(db.database)
    const before = await snapshotDatabase(db.database)
    expect(await confirmEmailChange.run(other.scope, { token })).toMatchObject(noLongerWorks)
    expect(await snapshotDatabase(db.database)).toBe(before)
    expect(await userOf(email)).toBeDefined()
    expect(await findEmailChange(token)).toBeDefined()
  })

  test('of 50 parallel uses of one link one wins', async () => {
    const { id, scope, token } = await requested()
    const results = await Promise.all(
      Array.from({ length: 50 }, () => confirmEmailChange.run(scope, { token })),
    )
    expect(results.filter((result) => !isActionError(result))).toHaveLength(1)
    expect(await db.database.$count(sessions, eq(sessions.userId, id))).toBe(1)
    expect(await db.database.$count(accountChanges, eq(accountChanges.userId, id))).toBe(1)
  })

  test('of two users who want one email one gets it', async () => {
    const email = newEmail()
    const wanted = [await requested(email), await requested(email)]
    const results = await Promise.all(
      wanted.map(({ scope, token }) => confirmEmailChange.run(scope, { token })),
    )
    expect(results.filter(isActionError)).toMatchObject([noLongerWorks])
  })
})

test('the sweep deletes expired requests', async () => {
  const { id } = await requested()
  await db.database.update(emailChanges).set({ expiresAt: new Date(Date.now() - 1000) })
  await deleteExpired(100)
  expect(await db.database.$count(emailChanges, eq(emailChanges.userId, id))).toBe(0)
})
