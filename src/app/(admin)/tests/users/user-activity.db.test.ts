import { eq, sql } from 'drizzle-orm'
import { createDemoAccounts } from 'plinth/auth/accounts/users'
import { accounts, auditEvents, sessions, users } from 'plinth/db/schema'
import { lastEvent, newClient, signedInScope, testDatabase, userIdOf } from 'plinth/testing'
import { beforeAll, expect, test } from 'vitest'
import { findActivity } from '../../data/user-activity'

const db = testDatabase()

let viewer: string
let newcomer: string

beforeAll(async () => {
  await createDemoAccounts(db.database)
  viewer = await userIdOf(db.database, 'viewer@example.com')
  const [created] = await db.database
    .insert(users)
    .values({ email: 'newcomer@example.com', name: '=cmd("x")' })
    .returning({ id: users.id })
  newcomer = created?.id ?? ''
})

const activityOf = async (id: string) => (await findActivity([viewer, newcomer])).get(id)

test('a user is new, active for 30 days after the last sign, and then inactive', async () => {
  expect(await activityOf(newcomer)).toEqual({
    lastSeenAt: undefined,
    status: 'never_signed_in',
    methods: [],
    isFrozen: false,
  })
  const at = new Date(Date.now() - 40 * 24 * 60 * 60 * 1000)
  await db.database.insert(auditEvents).values({
    at,
    action: 'sign_in',
    outcome: 'success',
    actorId: viewer,
  })
  expect(await activityOf(viewer)).toEqual({
    lastSeenAt: at,
    status: 'inactive',
    methods: ['Password'],
    isFrozen: false,
  })
  await signedInScope(db.database, 'viewer@example.com')
  const seen = await activityOf(viewer)
  expect(seen?.status).toBe('active')
  expect(seen?.lastSeenAt?.getTime()).toBeGreaterThan(at.getTime())
  await db.database
    .update(sessions)
    .set({ lastSeenAt: sql`now() - interval '35 days'` })
    .where(eq(sessions.userId, viewer))
  expect((await activityOf(viewer))?.status).toBe('inactive')
})

test('lists the sign-in methods by name', async () => {
  const linked = ['google', 'github', 'removed'].map((provider) => ({
    provider,
    providerAccountId: '1',
    userId: newcomer,
  }))
  await db.database.insert(accounts).values(linked)
  expect((await activityOf(newcomer))?.methods).toEqual(['GitHub', 'Google', 'removed'])
})

test('exports the filtered users in order, with escaped formulas and an audit event', async () => {
  const client = newClient()
  await client.signIn('admin@example.com')
  const response = await client.send('/api/admin/users.csv?query=example.com&sort=email')
  expect(response.status).toBe(200)
  expect(response.headers.get('content-disposition')).toMatch(
    /^attachment; filename="users-\d{4}-\d\d-\d\d\.csv"$/,
  )
  expect(response.headers.get('cache-control')).toBe('private, no-store')
  const [header, ...lines] = (await response.text()).trim().split('\r\n')
  expect(header).toBe(
    '"id","email","name","role","created_at","last_seen_at","status","sign_in_methods"',
  )
  expect(lines.map((line) => line.split('"')[3])).toEqual([
    'admin@example.com',
    'editor@example.com',
    'newcomer@example.com',
    'viewer@example.com',
  ])
  expect(lines[2]).toContain(`"'=cmd(""x"")","viewer"`)
  expect(lines[2]).toContain('"never_signed_in","GitHub, Google, removed"')
  expect(await lastEvent(db.database)).toMatchObject({ action: 'export_users', outcome: 'success' })
  const viewers = await client.send('/api/admin/users.csv?role=viewer')
  expect((await viewers.text()).trim().split('\r\n')).toHaveLength(3)
  expect((await client.send('/api/admin/users.csv?role=king')).status).toBe(422)
})

test('refuses the export to images, other users and an old sign-in', async () => {
  const client = newClient()
  await client.signIn('admin@example.com')
  const asImage = { headers: { 'sec-fetch-dest': 'image' } }
  expect((await client.send('/api/admin/users.csv', asImage)).status).toBe(403)
  await db.database.update(sessions).set({ authenticatedAt: sql`now() - interval '11 minutes'` })
  expect((await client.send('/api/admin/users.csv')).status).toBe(403)
  expect((await newClient().send('/api/admin/users.csv')).status).toBe(401)
  await client.signIn('editor@example.com')
  const refused = await client.send('/api/admin/users.csv')
  expect(refused.status).toBe(403)
  expect(await refused.text()).not.toContain('newcomer')
})
