import { desc, eq, inArray } from 'drizzle-orm'
import { createDemoAccounts } from 'plinth/auth/accounts/users'
import { auditEvents, sessions, users } from 'plinth/db/schema'
import type { SignedInScope } from 'plinth/guard/policy'
import { lastEvent, signedInScope, testDatabase } from 'plinth/testing'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { revokeSessionsOfUsers, updateUserRoles } from '../../admin/users/bulk/actions'
import { roleSummary, sessionSummary } from '../../admin/users/bulk/summary'
import { listUrl, userIds } from '../../fields'

const db = testDatabase()

let admin: SignedInScope
let ids: string[]

beforeAll(async () => {
  await createDemoAccounts(db.database)
  admin = await signedInScope(db.database, 'admin@example.com')
})

beforeEach(async () => {
  const names = ['Ada', 'Grace', 'Alan'].map((name, index) => ({
    name,
    email: `${name}-${crypto.randomUUID()}@example.com`.toLowerCase(),
    role: index === 2 ? ('editor' as const) : ('viewer' as const),
  }))
  const created = await db.database.insert(users).values(names).returning({ id: users.id })
  ids = created.map(({ id }) => id)
})

const rolesOf = async () =>
  (await db.database.select().from(users).where(inArray(users.id, ids)))
    .toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))
    .map(({ role }) => role)

test('changes the roles of those who have another one, with an event for each', async () => {
  const own = admin.session.user.id
  const chosen = [...ids, own, crypto.randomUUID()]
  expect(await updateUserRoles.run(admin, { userIds: chosen, role: 'editor' })).toEqual({
    changed: 2,
  })
  expect(await rolesOf()).toEqual(['editor', 'editor', 'editor'])
  const [caller] = await db.database.select().from(users).where(eq(users.id, own))
  expect(caller?.role).toBe('admin')
  const newest = await db.database.select().from(auditEvents).orderBy(desc(auditEvents.id)).limit(3)
  expect(newest[0]).toMatchObject({
    action: 'update_user_roles',
    targetId: null,
    details: { role: 'editor', count: 2 },
  })
  expect(new Set(newest.slice(1).map(({ targetId }) => targetId))).toEqual(new Set(ids.slice(0, 2)))
  for (const event of newest.slice(1)) {
    expect(event).toMatchObject({
      action: 'update_user_role',
      actorId: own,
      details: { from: 'viewer', role: 'editor' },
    })
  }
})

test('refuses a change without users, or of the admin alone, without an event', async () => {
  const before = await db.database.$count(auditEvents)
  for (const chosen of [[ids[2] ?? ''], [admin.session.user.id], [crypto.randomUUID()]]) {
    expect(await updateUserRoles.run(admin, { userIds: chosen, role: 'editor' })).toMatchObject({
      code: 'conflict',
    })
  }
  expect(await rolesOf()).toEqual(['viewer', 'viewer', 'editor'])
  expect(await db.database.$count(auditEvents)).toBe(before)
})

test('revokes the sessions of the others in one transaction', async () => {
  const [first = ''] = ids
  const [user] = await db.database.select().from(users).where(eq(users.id, first))
  await signedInScope(db.database, user?.email ?? '')
  await signedInScope(db.database, user?.email ?? '')
  const chosen = [...ids, admin.session.user.id]
  expect(await revokeSessionsOfUsers.run(admin, { userIds: chosen })).toEqual({ revoked: 2 })
  expect(await db.database.$count(sessions, inArray(sessions.userId, ids))).toBe(0)
  expect(await db.database.$count(sessions, eq(sessions.id, admin.session.id))).toBe(1)
  const about = eq(auditEvents.targetId, first)
  expect(await db.database.select().from(auditEvents).where(about)).toMatchObject([
    { action: 'revoke_user_sessions', outcome: 'success' },
  ])
  expect(await lastEvent(db.database)).toMatchObject({ details: { count: 1 } })
  expect(await revokeSessionsOfUsers.run(admin, { userIds: chosen })).toMatchObject({
    code: 'conflict',
  })
})

test.each(['viewer', 'editor'])('a %s changes nothing', async (role) => {
  const caller = await signedInScope(db.database, `${role}@example.com`)
  const before = await db.database.$count(sessions)
  const results = [
    await updateUserRoles.run(caller, { userIds: ids, role: 'admin' }),
    await revokeSessionsOfUsers.run(caller, { userIds: [admin.session.user.id] }),
  ]
  for (const result of results) expect(result).toMatchObject({ code: 'forbidden' })
  expect(await rolesOf()).toEqual(['viewer', 'viewer', 'editor'])
  expect(await db.database.$count(sessions)).toBe(before)
})

test('the message says what happened to each of the chosen users', () => {
  const [ada, grace] = [
    { name: 'Ada', role: 'viewer' },
    { name: 'Grace', role: 'editor' },
  ]
  const one = { others: [ada, grace], changed: [ada], ownLeftOut: true }
  expect(roleSummary(one, 'editor', 4)).toBe(
    'Role of Ada changed from viewer to editor. 1 user already had it. Your own account was left out. 1 user no longer exists.',
  )
  const both = { others: [ada, grace], changed: [ada, grace], ownLeftOut: false }
  expect(roleSummary(both, 'admin', 2)).toBe('Role of 2 users changed to admin.')
  expect(sessionSummary([ada], false)).toBe('Sessions of Ada revoked.')
})

test('accepts at most 100 users, and leads back to the list only', () => {
  const many = Array.from({ length: 101 }, () => crypto.randomUUID())
  expect(userIds.safeParse(many).success).toBe(false)
  expect(userIds.safeParse([]).success).toBe(false)
  expect(listUrl.safeParse('/admin/users?query=a&sort=name').success).toBe(true)
  for (const url of [
    '//evil.example',
    '/admin/users/../..//x',
    'https://evil.example',
    '/admin/usersx',
    '/admin/users?\n',
  ]) {
    expect(listUrl.safeParse(url).success, url).toBe(false)
  }
})
