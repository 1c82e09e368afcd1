import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { and, eq, gt, sql } from 'drizzle-orm'
import { createLink } from 'plinth/auth/accounts/links'
import { createSession } from 'plinth/auth/sessions/session'
import {
  auditEvents,
  failedMail,
  jobSchedules,
  jobs,
  mailQueue,
  users,
  verificationTokens,
} from 'plinth/db/schema'
import {
  type Caller,
  createCaller,
  type EffectiveRole,
  matrixCallers,
  snapshotDatabase,
  transports,
} from 'plinth/testing'
import { callAction, outcomeOf, runningServer } from 'plinth/testing/server'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'plinth-admin-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const app = runningServer({ SIGN_UP: 'invite', DATA_DIR: folder })

const target = '6e7c9d0e-54b9-4a5c-9d75-0c6f0b1f4a11'
const invited = 'invited@example.com'

let targetSession: string
let failedJob: number

beforeEach(async () => {
  const { database } = app
  await database.delete(users).where(eq(users.id, target))
  // A permanent admin, so that the admins of the matrix can be demoted and deleted.
  await database
    .insert(users)
    .values({ email: 'permanent@example.com', name: 'Permanent admin', role: 'admin' })
    .onConflictDoNothing()
  const [user] = await database
    .insert(users)
    .values({ id: target, email: 'target@example.com', name: 'Secret Target', role: 'editor' })
    .returning()
  if (!user) throw new Error('No target was created.')
  const { session } = await createSession(
    database,
    user,
    { ip: '::1', userAgent: 'x' },
    { by: 'password' },
  )
  targetSession = session.id
  await createLink(database, 'invitation', { email: invited, userId: null })
  // An invitation is sent again at most once a minute.
  await database
    .update(verificationTokens)
    .set({ createdAt: sql`now() - interval '5 minutes'` })
    .where(eq(verificationTokens.email, invited))
  await database.insert(failedMail).values(unsent).onConflictDoNothing()
  await database.delete(jobs)
  const [job] = await database
    .insert(jobs)
    .values({ name: 'example.task', failedAt: sql`now()`, reason: 'Secret reason' })
    .returning()
  failedJob = job?.id ?? 0
  const schedule = { name: 'example.task', schedule: '0 3 1 1 *', timeZone: 'UTC' }
  await database
    .insert(jobSchedules)
    .values({ ...schedule, nextAt: sql`now() + interval '1 day'` })
    .onConflictDoNothing()
})

const unsent = {
  id: 1,
  purpose: 'reset_password',
  email: 'unsent@example.com',
  data: {},
  attempts: 16,
  createdAt: new Date(),
  reason: 'Secret reason',
}

type Expected = Record<EffectiveRole, string>

const admins: Expected = {
  anonymous: 'unauthenticated',
  viewer: 'forbidden',
  editor: 'forbidden',
  admin: 'done',
}

type Self = { id: string }

type Call = {
  action?: string
  input: (self: Self) => object
  reads?: true
  adminOutcome?: string
}

const actions: Record<string, Call> = {
  listUsers: { input: () => ({ query: 'secret', role: 'editor', limit: 5 }), reads: true },
  updateUserRole: { input: () => ({ userId: target, role: 'admin' }) },
  deleteUser: { input: () => ({ userId: target }) },
  revokeUserSession: { input: () => ({ userId: target, sessionId: targetSession }) },
  revokeAllUserSessions: { input: () => ({ userId: target }) },
  updateUserRoles: { input: () => ({ userIds: [target], role: 'admin' }) },
  revokeSessionsOfUsers: { input: () => ({ userIds: [target] }) },
  inviteUsers: {
    input: () => ({
      emails: `new-${crypto.randomUUID()}@example.com`,
      role: 'admin',
      confirmed: true,
    }),
  },
  resendInvitation: { input: () => ({ email: invited }) },
  cancelInvitation: { input: () => ({ email: invited }) },
  retryFailedJob: { input: () => ({ jobId: failedJob }) },
  retryAllFailedJobs: { input: () => ({ jobs: 'failed' }) },
  retryUnsentMail: { input: () => ({ mail: 'failed' }) },
  deleteUnsentMail: { input: () => ({ mail: 'failed' }) },
  deleteJob: { input: () => ({ jobId: failedJob }) },
  runScheduledJob: { input: () => ({ name: 'example.task' }) },
  'updateUserRole of the caller': {
    action: 'updateUserRole',
    input: ({ id }) => ({ userId: id, role: 'admin', isAdmin: true, scope: { role: 'admin' } }),
    // The admin already has the role.
    reads: true,
    adminOutcome: 'conflict',
  },
  'revokeAllUserSessions of the caller': {
    action: 'revokeAllUserSessions',
    input: ({ id }) => ({ userId: id, role: 'admin' }),
  },
}

const pages = [
  '/admin',
  '/admin/users?query=secret',
  `/admin/users/bulk?user=${target}`,
  `/admin/users/${target}`,
  '/admin/invitations',
  '/admin/audit',
  '/admin/jobs',
]
const pageStatus = { anonymous: 307, viewer: 403, editor: 403, admin: 200 }

const routes = [
  '/api/demo/admin/users?query=secret',
  '/api/admin/users.csv',
  '/api/admin/audit.csv',
]
const routeStatus = { anonymous: 401, viewer: 403, editor: 403, admin: 200 }

async function callerWith(caller: Caller, by: keyof typeof transports) {
  if (caller === 'anonymous') return { id: target, headers: {} }
  const { id, token } = await createCaller(app.database, caller)
  return { id, headers: transports[by](token) }
}

async function newestEvent(): Promise<number> {
  const rows = await app.database.select({ id: auditEvents.id }).from(auditEvents)
  return Math.max(0, ...rows.map(({ id }) => id))
}

async function denialsSince(id: number): Promise<number> {
  const denied = and(gt(auditEvents.id, id), eq(auditEvents.outcome, 'denied'))
  return app.database.$count(auditEvents, denied)
}

describe.each(matrixCallers)('$caller by $by', ({ caller, by, effectiveRole }) => {
  test.each(Object.entries(actions))('action %s', async (name, call) => {
    const { action, input, reads, adminOutcome } = call
    const { database } = app
    const { id, headers } = await callerWith(caller, by)
    const before = await snapshotDatabase(database)
    const latest = await newestEvent()
    const fields = input({ id })
    const result = await callAction(app.url, action ?? name, fields, headers)
    const expected = { ...admins, ...(adminOutcome && { admin: adminOutcome }) }
    expect(outcomeOf(result)).toBe(expected[effectiveRole])
    if (effectiveRole === 'admin') {
      // The link is created when the email is sent in the background.
      if ('emails' in fields) await waitForLink(String(fields.emails))
      if (name === 'resendInvitation') await waitForLink(invited)
      if (!reads) expect(await snapshotDatabase(database)).not.toBe(before)
      return
    }
    expect(JSON.stringify(result)).not.toContain('Secret Target')
    expect(await snapshotDatabase(database)).toBe(before)
    expect(await database.$count(mailQueue)).toBe(0)
    expect(await denialsSince(latest)).toBe(1)
  })

  test.each(pages)('page %s', async (path) => {
    const { headers } = await callerWith(caller, by)
    const latest = await newestEvent()
    const response = await fetch(app.url + path, { headers, redirect: 'manual' })
    expect(response.status).toBe(pageStatus[effectiveRole])
    const text = await response.text()
    if (effectiveRole === 'admin') return
    expect(text).not.toMatch(/Secret Target|Secret reason|target@example|invited@example/)
    expect(await denialsSince(latest)).toBe(1)
  })

  test.each(routes)('route %s', async (path) => {
    const { headers } = await callerWith(caller, by)
    const latest = await newestEvent()
    const response = await fetch(app.url + path, { headers })
    expect(response.status).toBe(routeStatus[effectiveRole])
    const text = await response.text()
    if (effectiveRole === 'admin') return
    expect(text).not.toMatch(/Secret Target|target@example/)
    expect(await denialsSince(latest)).toBe(1)
  })
})

async function waitForLink(email: string) {
  const sent = () => app.database.$count(verificationTokens, eq(verificationTokens.email, email))
  await expect.poll(sent, { timeout: 10_000 }).toBe(1)
  await expect.poll(() => app.database.$count(mailQueue), { timeout: 10_000 }).toBe(0)
}

test('rejects cross-origin calls of actions', async () => {
  const { headers } = await callerWith('admin', 'cookie')
  const before = await snapshotDatabase(app.database)
  for (const [name, { action, input }] of Object.entries(actions)) {
    const crossSite = { ...headers, 'sec-fetch-site': 'cross-site' }
    const call = callAction(app.url, action ?? name, input({ id: target }), crossSite)
    await expect(call).rejects.toThrow('403')
  }
  expect(await snapshotDatabase(app.database)).toBe(before)
})

test('rejects a session id of another user', async () => {
  const { id, headers } = await callerWith('admin', 'cookie')
  const before = await snapshotDatabase(app.database)
  const mismatched = { userId: id, sessionId: targetSession }
  expect(outcomeOf(await callAction(app.url, 'revokeUserSession', mismatched, headers))).toBe(
    'conflict',
  )
  expect(await snapshotDatabase(app.database)).toBe(before)
})

test.each([
  ['updateUserRole', { userId: target, role: 'king' }],
  ['updateUserRole', { userId: 'me', role: 'admin' }],
  ['updateUserRole', { userId: [target], role: ['admin'] }],
  ['deleteUser', {}],
  ['listUsers', { limit: 101 }],
  ['listUsers', { limit: 0 }],
  ['listUsers', { cursor: 'x' }],
  ['updateUserRole', { userId: target, role: 'admin', confirmed: 'yes' }],
  ['updateUserRoles', { userIds: [], role: 'admin' }],
  ['updateUserRoles', { userIds: [target, 'me'], role: 'admin' }],
  ['revokeSessionsOfUsers', { userIds: [target], list: 'https://evil.example' }],
  ['retryFailedJob', { jobId: -1 }],
  ['retryFailedJob', { jobId: 'all' }],
  ['retryAllFailedJobs', { jobs: 'all' }],
  ['retryUnsentMail', { mail: 'all' }],
  ['deleteUnsentMail', {}],
  ['deleteJob', {}],
  ['runScheduledJob', { name: '' }],
  ['inviteUsers', { emails: ' ', role: 'admin', confirmed: true }],
  ['inviteUsers', { emails: 'new@example.com', role: 'king' }],
  ['inviteUsers', { emails: 'new@example.com', role: 'admin' }],
])('%s rejects %j', async (name, input) => {
  const { headers } = await callerWith('admin', 'cookie')
  const before = await snapshotDatabase(app.database)
  expect(outcomeOf(await callAction(app.url, name, input, headers))).toBe('invalid')
  expect(await snapshotDatabase(app.database)).toBe(before)
})
