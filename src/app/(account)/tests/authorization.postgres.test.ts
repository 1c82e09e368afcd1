import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { and, eq } from 'drizzle-orm'
import { accounts, auditEvents, mailQueue, passwords, sessions, users } from 'plinth/db/schema'
import {
  type Caller,
  createCaller,
  type EffectiveRole,
  lastEvent,
  matrixCallers,
  snapshotDatabase,
  transports,
} from 'plinth/testing'
import { callAction, outcomeOf, runningServer } from 'plinth/testing/server'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { newUser, password, setPassword, signIn } from './users'

// For the outbox.
const folder = mkdtempSync(join(tmpdir(), 'plinth-account-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const app = runningServer({
  DATA_DIR: folder,
  TRUST_PROXY: '1',
})

type TestUser = Awaited<ReturnType<typeof newUser>>

let other: TestUser

beforeEach(async () => {
  // A permanent admin, so that the admins of the matrix can be demoted and deleted.
  other = await newUser(app.database, {
    role: 'admin',
    providers: ['provider-a', 'provider-b'],
  })
})

type Me = { id: string; email: string; sessionId: string }

type Case = {
  action: string
  /** Also contains fields of another user, which must be ignored. */
  input: (me: Me) => object
  /** For a signed-in caller of any role. */
  expected: 'done' | 'conflict' | 'invalid'
}

const otherUserFields = () => ({
  id: other.id,
  userId: other.id,
  actorId: other.id,
  email: other.email,
  role: 'admin',
  emailVerifiedAt: null,
  providerAccountId: '1',
})

const cases: Record<string, Case> = {
  'own name': {
    action: 'updateProfile',
    input: () => ({ ...otherUserFields(), name: 'New' }),
    expected: 'done',
  },
  'own preferences': {
    action: 'updatePreferences',
    input: () => ({ ...otherUserFields(), timeZone: 'Asia/Tokyo', theme: 'dark' }),
    expected: 'done',
  },
  'own password': {
    action: 'changePassword',
    input: () => ({
      ...otherUserFields(),
      currentPassword: password,
      newPassword: 'another password entirely',
    }),
    expected: 'done',
  },
  'own link': {
    action: 'sendPasswordLink',
    input: () => ({ ...otherUserFields(), purpose: 'set_password' }),
    expected: 'done',
  },
  'own session': {
    action: 'revokeSession',
    input: ({ sessionId }) => ({ ...otherUserFields(), sessionId }),
    expected: 'done',
  },
  'session of another user': {
    action: 'revokeSession',
    input: () => ({ ...otherUserFields(), sessionId: other.session.id }),
    expected: 'conflict',
  },
  'own other sessions': { action: 'revokeOtherSessions', input: otherUserFields, expected: 'done' },
  'own provider': {
    action: 'unlinkAccount',
    input: () => ({ ...otherUserFields(), provider: 'provider-a' }),
    expected: 'done',
  },
  'provider that only another user has': {
    action: 'unlinkAccount',
    input: () => ({ ...otherUserFields(), provider: 'provider-b' }),
    expected: 'conflict',
  },
  'own account': {
    action: 'deleteAccount',
    input: ({ email }) => ({
      ...otherUserFields(),
      confirmation: email,
      currentPassword: password,
    }),
    expected: 'done',
  },
  'account of another user': {
    action: 'deleteAccount',
    input: () => ({ ...otherUserFields(), confirmation: other.email, currentPassword: password }),
    expected: 'invalid',
  },
}

let ips = 0

/** A caller with a password, a linked provider and a second session, unless it is deleted. */
async function prepareCaller(caller: Caller, by: keyof typeof transports) {
  ips += 1
  const from = { 'x-forwarded-for': `10.0.${ips >> 8}.${ips & 255}` }
  if (caller === 'anonymous') {
    return {
      me: { id: '', email: 'unknown@example.com', sessionId: other.session.id },
      headers: from,
    }
  }
  const { id, email, token } = await createCaller(app.database, caller)
  const [user] = await app.database.select().from(users).where(eq(users.id, id))
  let sessionId = other.session.id
  if (user) {
    await setPassword(app.database, id)
    const account = { provider: 'provider-a', providerAccountId: `account-${id}`, userId: id }
    await app.database.insert(accounts).values(account)
    sessionId = (await signIn(app.database, user)).session.id
  }
  return { me: { id, email, sessionId }, headers: { ...from, ...transports[by](token) } }
}

async function dataOf(userId: string) {
  const { database } = app
  return {
    user: await database.select().from(users).where(eq(users.id, userId)),
    passwords: await database.select().from(passwords).where(eq(passwords.userId, userId)),
    accounts: await database.select().from(accounts).where(eq(accounts.userId, userId)),
    sessions: await database.select().from(sessions).where(eq(sessions.userId, userId)),
  }
}

/** Mail of earlier tests is sent in the background, and its links are created with it. */
async function mailSent(): Promise<void> {
  await expect.poll(() => app.database.$count(mailQueue), { timeout: 10_000 }).toBe(0)
}

const expectedFor = (effectiveRole: EffectiveRole, { expected }: Case) =>
  effectiveRole === 'anonymous' ? 'unauthenticated' : expected

describe.each(matrixCallers)('$caller by $by', ({ caller, by, effectiveRole }) => {
  test.each(Object.entries(cases))('%s', async (_, example) => {
    const { me, headers } = await prepareCaller(caller, by)
    await mailSent()
    const before = await snapshotDatabase(app.database)
    const [otherBefore, ownBefore] = [await dataOf(other.id), await dataOf(me.id || other.id)]
    const result = await callAction(app.url, example.action, example.input(me), headers)
    const outcome = outcomeOf(result)
    expect(outcome).toBe(expectedFor(effectiveRole, example))
    expect(await dataOf(other.id)).toEqual(otherBefore)
    if (outcome === 'done') return expectOwnChange(example.action, me, ownBefore)
    expect(await snapshotDatabase(app.database)).toBe(before)
    if (outcome !== 'unauthenticated') return
    expect(await lastEvent(app.database)).toMatchObject({ outcome: 'denied' })
  })

  test('route /api/account/data.json', async () => {
    const { me, headers } = await prepareCaller(caller, by)
    const response = await fetch(`${app.url}/api/account/data.json`, { headers })
    expect(response.status).toBe(effectiveRole === 'anonymous' ? 401 : 200)
    const text = await response.text()
    expect(text).not.toContain(other.id)
    expect(text).not.toContain(other.email)
    if (effectiveRole !== 'anonymous') expect(JSON.parse(text).profile).toMatchObject({ id: me.id })
  })

  test('pages of the account', async () => {
    const { me, headers } = await prepareCaller(caller, by)
    for (const section of ['', '/sign-in', '/sessions', '/connected', '/data']) {
      const path = `/account${section}`
      const response = await fetch(app.url + path, { headers, redirect: 'manual' })
      expect(response.status).toBe(effectiveRole === 'anonymous' ? 307 : 200)
      const text = await response.text()
      expect(text).not.toContain(other.email)
      if (effectiveRole !== 'anonymous') expect(text).toContain(me.email)
      else {
        const callbackUrl = encodeURIComponent(path)
        expect(response.headers.get('location')).toBe(`/sign-in?callbackUrl=${callbackUrl}`)
      }
    }
  })

  test('page /account/deleted', async () => {
    const { headers } = await prepareCaller(caller, by)
    const response = await fetch(`${app.url}/account/deleted`, { headers })
    expect(response.status).toBe(200)
  })
})

type UserData = Awaited<ReturnType<typeof dataOf>>

/** Checks that the action changed what it should and nothing else. */
async function expectOwnChange(action: string, { id, email }: Me, before: UserData) {
  const after = await dataOf(id)
  const [user] = before.user
  switch (action) {
    case 'updateProfile':
      expect(after).toEqual({
        ...before,
        user: [{ ...user, name: 'New', search: `${email}\nnew`, updatedAt: expect.any(Date) }],
      })
      break
    case 'updatePreferences': {
      const chosen = { timeZone: 'Asia/Tokyo', theme: 'dark', updatedAt: expect.any(Date) }
      expect(after).toEqual({ ...before, user: [{ ...user, ...chosen }] })
      break
    }
    case 'changePassword':
      expect(after).toMatchObject({ user: before.user, accounts: before.accounts })
      expect(after.passwords).not.toEqual(before.passwords)
      expect(after.sessions).toHaveLength(1)
      break
    case 'sendPasswordLink': {
      expect(after).toEqual(before)
      const requested = and(
        eq(auditEvents.action, 'request_reset_password'),
        eq(auditEvents.actorId, id),
      )
      expect(await app.database.$count(auditEvents, requested)).toBe(1)
      break
    }
    case 'revokeSession':
    case 'revokeOtherSessions':
      expect(after).toMatchObject({ ...before, sessions: [{ userId: id }] })
      expect(after.sessions).toHaveLength(1)
      break
    case 'unlinkAccount':
      expect(after).toEqual({ ...before, accounts: [] })
      break
    case 'deleteAccount':
      expect(after).toEqual({ user: [], passwords: [], accounts: [], sessions: [] })
      expect(await app.database.$count(users, eq(users.email, email))).toBe(0)
      break
    default:
      throw new Error(`${action} has no expectation.`)
  }
}

test('rejects cross-origin calls of actions', async () => {
  const { me, headers } = await prepareCaller('viewer', 'cookie')
  const before = await snapshotDatabase(app.database)
  for (const { action, input } of Object.values(cases)) {
    const crossSite = { ...headers, 'sec-fetch-site': 'cross-site' }
    const calling = callAction(app.url, action, input(me), crossSite)
    await expect(calling).rejects.toThrow('403')
    expect(await lastEvent(app.database)).toMatchObject({
      outcome: 'denied',
      actorId: me.id,
      details: { reason: 'cross_origin' },
    })
  }
  expect(await snapshotDatabase(app.database)).toBe(before)
})

test('a call beyond the rate limit changes nothing and is audited', async () => {
  const { me, headers } = await prepareCaller('viewer', 'cookie')
  const rename = (name: string) => callAction(app.url, 'updateProfile', { name }, headers)
  for (let count = 0; count < 60; count += 1) await rename('Within the limit')
  const before = await snapshotDatabase(app.database)
  expect(await rename('Beyond the limit')).toMatchObject({ ok: false, code: 'rate_limited' })
  expect(await snapshotDatabase(app.database)).toBe(before)
  expect(await lastEvent(app.database)).toMatchObject({
    action: 'update_profile',
    outcome: 'denied',
    actorId: me.id,
    details: { reason: 'rate_limited' },
  })
})
