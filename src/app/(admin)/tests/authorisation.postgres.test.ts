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
import { and, eq, gt } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createLink } from '@/core/auth/links'
import { createSession } from '@/core/auth/sessions'
import { auditEvents, mailQueue, users, verificationTokens } from '@/core/db/schema'

const folder = mkdtempSync(join(tmpdir(), 'plinth-admin-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const product = runningProduct({ SIGN_UP: 'invite', DATA_DIR: folder })

const target = '6e7c9d0e-54b9-4a5c-9d75-0c6f0b1f4a11'
const invited = 'invited@example.com'

let targetSession: string

beforeEach(async () => {
  const { database } = product
  await database.delete(users).where(eq(users.id, target))
  // Never the last admin, so that every admin of the matrix can be made and unmade.
  await database
    .insert(users)
    .values({ email: 'keeper@example.com', name: 'Keeper', role: 'admin' })
    .onConflictDoNothing()
  const [user] = await database
    .insert(users)
    .values({ id: target, email: 'target@example.com', name: 'Secret Target', role: 'editor' })
    .returning()
  if (!user) throw new Error('There is no target.')
  const { session } = await createSession(database, user, { address: '::1', userAgent: 'x' })
  targetSession = session.id
  await createLink(database, 'invitation', { email: invited, userId: null })
})

type Expected = Record<Standing, string>

const admins: Expected = {
  nobody: 'unauthenticated',
  viewer: 'forbidden',
  editor: 'forbidden',
  admin: 'done',
}

type Own = { id: string }

const actions: Record<string, { action?: string; input: (own: Own) => object; reads?: true }> = {
  listUsers: { input: () => ({ query: 'secret', role: 'editor', limit: 5 }), reads: true },
  updateUserRole: { input: () => ({ userId: target, role: 'admin' }) },
  deleteUser: { input: () => ({ userId: target }) },
  endUserSession: { input: () => ({ userId: target, sessionId: targetSession }) },
  endUserSessions: { input: () => ({ userId: target }) },
  invite: { input: () => ({ email: `new-${crypto.randomUUID()}@example.com`, role: 'admin' }) },
  withdrawInvitation: { input: () => ({ email: invited }) },
  'updateUserRole of oneself': {
    action: 'updateUserRole',
    input: ({ id }) => ({ userId: id, role: 'admin', isAdmin: true, scope: { role: 'admin' } }),
    // The admin is one already.
    reads: true,
  },
  'endUserSessions of oneself': {
    action: 'endUserSessions',
    input: ({ id }) => ({ userId: id, role: 'admin' }),
  },
}

const pages = [
  '/admin',
  '/admin/users?query=secret',
  `/admin/users/${target}`,
  '/admin/invitations',
  '/admin/audit',
]
const pageStatus = { nobody: 307, viewer: 403, editor: 403, admin: 200 }

const routes = ['/api/demo/admin/users?query=secret', '/api/admin/audit.csv']
const routeStatus = { nobody: 401, viewer: 403, editor: 403, admin: 200 }

async function callerWith(caller: Caller, by: keyof typeof transports) {
  if (caller === 'nobody') return { id: target, headers: {} }
  const { id, token } = await makeCaller(product.database, caller)
  return { id, headers: transports[by](token) }
}

async function newestEvent(): Promise<number> {
  const rows = await product.database.select({ id: auditEvents.id }).from(auditEvents)
  return Math.max(0, ...rows.map(({ id }) => id))
}

async function denialsSince(id: number): Promise<number> {
  const denied = and(gt(auditEvents.id, id), eq(auditEvents.outcome, 'denied'))
  return product.database.$count(auditEvents, denied)
}

describe.each(everyCaller)('$caller by $by', ({ caller, by, standing }) => {
  test.each(Object.entries(actions))('action %s', async (name, { action, input, reads }) => {
    const { database } = product
    const { id, headers } = await callerWith(caller, by)
    const before = await everythingIn(database)
    const latest = await newestEvent()
    const given = input({ id })
    const called = await callAction(product.url, action ?? name, given, headers)
    expect(outcomeOf(called)).toBe(admins[standing])
    if (standing === 'admin') {
      // The link is made when the message is sent, in the background.
      if (name === 'invite' && 'email' in given) await linkFor(String(given.email))
      if (!reads) expect(await everythingIn(database)).not.toBe(before)
      return
    }
    expect(JSON.stringify(called)).not.toContain('Secret Target')
    expect(await everythingIn(database)).toBe(before)
    expect(await database.$count(mailQueue)).toBe(0)
    expect(await denialsSince(latest)).toBe(1)
  })

  test.each(pages)('page %s', async (path) => {
    const { headers } = await callerWith(caller, by)
    const latest = await newestEvent()
    const response = await fetch(product.url + path, { headers, redirect: 'manual' })
    expect(response.status).toBe(pageStatus[standing])
    const text = await response.text()
    if (standing === 'admin') return
    expect(text).not.toMatch(/Secret Target|target@example|invited@example/)
    expect(await denialsSince(latest)).toBe(1)
  })

  test.each(routes)('route %s', async (path) => {
    const { headers } = await callerWith(caller, by)
    const latest = await newestEvent()
    const response = await fetch(product.url + path, { headers })
    expect(response.status).toBe(routeStatus[standing])
    const text = await response.text()
    if (standing === 'admin') return
    expect(text).not.toMatch(/Secret Target|target@example/)
    expect(await denialsSince(latest)).toBe(1)
  })
})

async function linkFor(email: string) {
  const sent = () =>
    product.database.$count(verificationTokens, eq(verificationTokens.email, email))
  await expect.poll(sent, { timeout: 10_000 }).toBe(1)
  await expect.poll(() => product.database.$count(mailQueue), { timeout: 10_000 }).toBe(0)
}

test('a page of another site cannot make an admin’s browser call an action', async () => {
  const { headers } = await callerWith('admin', 'cookie')
  const before = await everythingIn(product.database)
  for (const [name, { action, input }] of Object.entries(actions)) {
    const sent = { ...headers, 'sec-fetch-site': 'cross-site' }
    const call = callAction(product.url, action ?? name, input({ id: target }), sent)
    await expect(call).rejects.toThrow('403')
  }
  expect(await everythingIn(product.database)).toBe(before)
})

test('a session is ended only together with whose it is', async () => {
  const { id, headers } = await callerWith('admin', 'cookie')
  const before = await everythingIn(product.database)
  const mixed = { userId: id, sessionId: targetSession }
  expect(outcomeOf(await callAction(product.url, 'endUserSession', mixed, headers))).toBe(
    'conflict',
  )
  expect(await everythingIn(product.database)).toBe(before)
})

test.each([
  ['updateUserRole', { userId: target, role: 'king' }],
  ['updateUserRole', { userId: 'me', role: 'admin' }],
  ['updateUserRole', { userId: [target], role: ['admin'] }],
  ['deleteUser', {}],
  ['listUsers', { limit: 101 }],
  ['listUsers', { limit: 0 }],
  ['listUsers', { cursor: 'x' }],
  ['invite', { email: 'two@example.com, three@example.com' }],
])('%s takes no %j', async (name, input) => {
  const { headers } = await callerWith('admin', 'cookie')
  const before = await everythingIn(product.database)
  expect(outcomeOf(await callAction(product.url, name, input, headers))).toBe('invalid')
  expect(await everythingIn(product.database)).toBe(before)
})
