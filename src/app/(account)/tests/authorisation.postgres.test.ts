import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callAction, outcomeOf } from '@tests/support/call-action'
import {
  type Caller,
  everyCaller,
  makeCaller,
  type Standing,
  transports,
} from '@tests/support/callers'
import { everythingIn } from '@tests/support/everything'
import { runningProduct } from '@tests/support/product'
import { lastEvent } from '@tests/support/stored'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { accounts, auditEvents, passwords, sessions, users } from '@/core/db/schema'
import { givePassword, newPerson, password, signIn } from './people'

// Mail is written there.
const folder = mkdtempSync(join(tmpdir(), 'plinth-account-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const product = runningProduct({
  DATA_DIR: folder,
  TRUST_PROXY: '1',
})

type Person = Awaited<ReturnType<typeof newPerson>>

let other: Person

beforeEach(async () => {
  // Never the last admin, so that every admin of the matrix can be made and unmade.
  other = await newPerson(product.database, {
    role: 'admin',
    providers: ['one-service', 'another-service'],
  })
})

type Me = { id: string; email: string; sessionId: string }

type Case = {
  action: string
  /** Everything that might lead to somebody else is named too, and must lead nowhere. */
  input: (me: Me) => object
  /** What somebody who is signed in gets, whatever their role. */
  expected: 'done' | 'conflict' | 'invalid'
}

const foreign = () => ({
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
    input: () => ({ ...foreign(), name: 'New' }),
    expected: 'done',
  },
  'own password': {
    action: 'changePassword',
    input: () => ({ ...foreign(), currentPassword: password, newPassword: 'something quite new' }),
    expected: 'done',
  },
  'own link': {
    action: 'sendPasswordLink',
    input: () => ({ ...foreign(), purpose: 'set_password' }),
    expected: 'done',
  },
  'own session': {
    action: 'endSession',
    input: ({ sessionId }) => ({ ...foreign(), sessionId }),
    expected: 'done',
  },
  'session of another': {
    action: 'endSession',
    input: () => ({ ...foreign(), sessionId: other.session.id }),
    expected: 'conflict',
  },
  'own other sessions': { action: 'endOtherSessions', input: foreign, expected: 'done' },
  'own provider': {
    action: 'unlinkAccount',
    input: () => ({ ...foreign(), provider: 'one-service' }),
    expected: 'done',
  },
  'provider that only another has': {
    action: 'unlinkAccount',
    input: () => ({ ...foreign(), provider: 'another-service' }),
    expected: 'conflict',
  },
  'own account': {
    action: 'deleteAccount',
    input: ({ email }) => ({ ...foreign(), confirmation: email, currentPassword: password }),
    expected: 'done',
  },
  'account of another': {
    action: 'deleteAccount',
    input: () => ({ ...foreign(), confirmation: other.email, currentPassword: password }),
    expected: 'invalid',
  },
}

let addresses = 0

/** Somebody in that state who, while they exist, has a password, a provider and a second session. */
async function bring(caller: Caller, by: keyof typeof transports) {
  addresses += 1
  const from = { 'x-forwarded-for': `203.0.113.${addresses % 256}:${addresses}` }
  if (caller === 'nobody') {
    return {
      me: { id: '', email: 'nobody@example.com', sessionId: other.session.id },
      headers: from,
    }
  }
  const { id, email, token } = await makeCaller(product.database, caller)
  const [user] = await product.database.select().from(users).where(eq(users.id, id))
  let sessionId = other.session.id
  if (user) {
    await givePassword(product.database, id)
    const account = { provider: 'one-service', providerAccountId: `of ${id}`, userId: id }
    await product.database.insert(accounts).values(account)
    sessionId = (await signIn(product.database, user)).session.id
  }
  return { me: { id, email, sessionId }, headers: { ...from, ...transports[by](token) } }
}

async function allOf(userId: string) {
  const { database } = product
  return {
    user: await database.select().from(users).where(eq(users.id, userId)),
    passwords: await database.select().from(passwords).where(eq(passwords.userId, userId)),
    accounts: await database.select().from(accounts).where(eq(accounts.userId, userId)),
    sessions: await database.select().from(sessions).where(eq(sessions.userId, userId)),
  }
}

const expectedFor = (standing: Standing, { expected }: Case) =>
  standing === 'nobody' ? 'unauthenticated' : expected

describe.each(everyCaller)('$caller by $by', ({ caller, by, standing }) => {
  test.each(Object.entries(cases))('%s', async (_, given) => {
    const { me, headers } = await bring(caller, by)
    const before = await everythingIn(product.database)
    const [theirs, mine] = [await allOf(other.id), await allOf(me.id || other.id)]
    const called = await callAction(product.url, given.action, given.input(me), headers)
    const outcome = outcomeOf(called)
    expect(outcome).toBe(expectedFor(standing, given))
    expect(await allOf(other.id)).toEqual(theirs)
    if (outcome === 'done') return expectOwnChange(given.action, me, mine)
    expect(await everythingIn(product.database)).toBe(before)
    if (outcome !== 'unauthenticated') return
    expect(await lastEvent(product.database)).toMatchObject({ outcome: 'denied' })
  })

  test('route /api/account/data.json', async () => {
    const { me, headers } = await bring(caller, by)
    const response = await fetch(`${product.url}/api/account/data.json`, { headers })
    expect(response.status).toBe(standing === 'nobody' ? 401 : 200)
    const text = await response.text()
    expect(text).not.toContain(other.id)
    expect(text).not.toContain(other.email)
    if (standing !== 'nobody') expect(JSON.parse(text).profile).toMatchObject({ id: me.id })
  })

  test('page /account', async () => {
    const { me, headers } = await bring(caller, by)
    const response = await fetch(`${product.url}/account`, { headers, redirect: 'manual' })
    expect(response.status).toBe(standing === 'nobody' ? 307 : 200)
    const text = await response.text()
    expect(text).not.toContain(other.email)
    if (standing !== 'nobody') return expect(text).toContain(me.email)
    expect(response.headers.get('location')).toBe('/sign-in?callbackUrl=%2Faccount')
  })

  test('page /account/deleted is the same for all', async () => {
    const { headers } = await bring(caller, by)
    const response = await fetch(`${product.url}/account/deleted`, { headers })
    expect(response.status).toBe(200)
  })
})

type Stored = Awaited<ReturnType<typeof allOf>>

/** What was asked for has happened, and to nothing but that. */
async function expectOwnChange(action: string, { id, email }: Me, before: Stored) {
  const after = await allOf(id)
  const [user] = before.user
  switch (action) {
    case 'updateProfile':
      expect(after).toEqual({
        ...before,
        user: [{ ...user, name: 'New', search: `${email}\nnew`, updatedAt: expect.any(Date) }],
      })
      break
    case 'changePassword':
      expect(after).toMatchObject({ user: before.user, accounts: before.accounts })
      expect(after.passwords).not.toEqual(before.passwords)
      expect(after.sessions).toHaveLength(1)
      break
    case 'sendPasswordLink': {
      expect(after).toEqual(before)
      const asked = and(eq(auditEvents.action, 'ask_reset_password'), eq(auditEvents.actorId, id))
      expect(await product.database.$count(auditEvents, asked)).toBe(1)
      break
    }
    case 'endSession':
    case 'endOtherSessions':
      expect(after).toMatchObject({ ...before, sessions: [{ userId: id }] })
      expect(after.sessions).toHaveLength(1)
      break
    case 'unlinkAccount':
      expect(after).toEqual({ ...before, accounts: [] })
      break
    case 'deleteAccount':
      expect(after).toEqual({ user: [], passwords: [], accounts: [], sessions: [] })
      expect(await product.database.$count(users, eq(users.email, email))).toBe(0)
      break
    default:
      throw new Error(`${action} has nothing to be held against.`)
  }
}

test('a page of another site cannot make somebody’s browser call an action', async () => {
  const { me, headers } = await bring('viewer', 'cookie')
  const before = await everythingIn(product.database)
  for (const { action, input } of Object.values(cases)) {
    const elsewhere = { ...headers, 'sec-fetch-site': 'cross-site' }
    const calling = callAction(product.url, action, input(me), elsewhere)
    await expect(calling).rejects.toThrow('403')
    expect(await lastEvent(product.database)).toMatchObject({
      outcome: 'denied',
      actorId: me.id,
      details: { reason: 'cross_origin' },
    })
  }
  expect(await everythingIn(product.database)).toBe(before)
})
