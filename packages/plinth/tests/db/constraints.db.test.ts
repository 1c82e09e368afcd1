import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { sqlState } from '#db/errors'
import { accounts, auditEvents, passwords, sessions, users } from '#db/schema'
import { testDatabase } from '#testing/database/database'

const db = testDatabase()

const newUser = (email: string) => ({ email, name: 'User' })

async function stateOf(query: Promise<unknown>): Promise<string | undefined> {
  return query.then(
    () => undefined,
    (error) => sqlState(error),
  )
}

describe('users', () => {
  test('rejects a second account with the same email', async () => {
    await db.database.insert(users).values(newUser('one@example.com'))
    const again = db.database.insert(users).values(newUser('one@example.com'))
    expect(await stateOf(again)).toBe('23505')
  })

  test.each([
    'Upper@example.com',
    ' space@example.com',
    'full＠example.com',
    `${'a'.repeat(251)}@b.c`,
    '',
    'a@example.com\n',
    '\ta@example.com',
    'no-at-sign',
    'two@at@example.com',
  ])('rejects an email that is not normalized: %j', async (email) => {
    const before = await db.database.$count(users)
    expect(await stateOf(db.database.insert(users).values(newUser(email)))).toBe('23514')
    expect(await db.database.$count(users)).toBe(before)
  })

  test.each(['', '   ', 'x'.repeat(101)])('rejects an empty or too long name', async (name) => {
    const query = db.database.insert(users).values({ email: 'name@example.com', name })
    expect(await stateOf(query)).toBe('23514')
  })

  test('rejects an unknown role', async () => {
    const query = db.database.execute(
      sql`insert into users (email, name, role) values ('root@example.com', 'Root', 'root')`,
    )
    expect(await stateOf(query)).toBe('23514')
  })

  test('a new user is a viewer with a version 4 UUID', async () => {
    const [user] = await db.database.insert(users).values(newUser('new@example.com')).returning()
    expect(user?.role).toBe('viewer')
    expect(user?.id).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
  })
})

/** So the list of a user's linked accounts is at most as long as the list of providers. */
test('rejects a second account of one provider for a user', async () => {
  const [user] = await db.database.insert(users).values(newUser('linked@example.com')).returning()
  const link = (provider: string, providerAccountId: string) =>
    db.database.insert(accounts).values({ provider, providerAccountId, userId: user?.id ?? '' })
  expect(await stateOf(link('provider-a', '1'))).toBeUndefined()
  expect(await stateOf(link('provider-b', '1'))).toBeUndefined()
  expect(await stateOf(link('provider-a', '2'))).toBe('23505')
  expect(await db.database.$count(accounts)).toBe(2)
})

describe('the last admin', () => {
  const admin = { ...newUser('admin@example.com'), role: 'admin' as const }

  beforeEach(async () => {
    await db.database.insert(users).values(admin).onConflictDoNothing()
  })

  const adminCount = () => db.database.$count(users, eq(users.role, 'admin'))

  test('cannot be demoted', async () => {
    const demotion = db.database
      .update(users)
      .set({ role: 'editor' })
      .where(eq(users.role, 'admin'))
    expect(await stateOf(demotion)).toBe('PL001')
    expect(await adminCount()).toBe(1)
  })

  test('cannot be deleted', async () => {
    expect(await stateOf(db.database.delete(users).where(eq(users.role, 'admin')))).toBe('PL001')
    expect(await stateOf(db.database.delete(users))).toBe('PL001')
    expect(await stateOf(db.database.execute(sql`truncate users cascade`))).toBe('PL001')
    expect(await adminCount()).toBe(1)
  })

  test('can be deleted if there is another, and can change their name', async () => {
    const [other] = await db.database
      .insert(users)
      .values({ ...newUser('other-admin@example.com'), role: 'admin' })
      .returning()
    await db.database.delete(users).where(eq(users.id, other?.id ?? ''))
    await db.database.update(users).set({ name: 'Renamed' }).where(eq(users.role, 'admin'))
    expect(await adminCount()).toBe(1)
  })

  test('cannot be demoted together with all other admins in one statement', async () => {
    await db.database.insert(users).values({ ...newUser('second@example.com'), role: 'admin' })
    const both = db.database.update(users).set({ role: 'viewer' }).where(eq(users.role, 'admin'))
    expect(await stateOf(both)).toBe('PL001')
    expect(await adminCount()).toBe(2)
    await db.database.delete(users).where(eq(users.email, 'second@example.com'))
  })
})

describe('audit events', () => {
  test('cannot be changed or deleted', async () => {
    await db.database.insert(auditEvents).values({ action: 'sign_in', outcome: 'success' })
    const before = await db.database.select().from(auditEvents)
    expect(await stateOf(db.database.update(auditEvents).set({ action: 'x' }))).toBe('PL002')
    expect(await stateOf(db.database.delete(auditEvents))).toBe('PL002')
    expect(await stateOf(db.database.execute(sql`truncate audit_events`))).toBe('PL002')
    expect(await db.database.select().from(auditEvents)).toEqual(before)
  })

  test('must have a valid outcome', async () => {
    const query = db.database.execute(
      sql`insert into audit_events (action, outcome) values ('sign_in', 'unknown')`,
    )
    expect(await stateOf(query)).toBe('23514')
  })
})

describe('the data of a user', () => {
  test('is deleted with the user, and a session lasts at most ninety days', async () => {
    const [user] = await db.database.insert(users).values(newUser('owner@example.com')).returning()
    const userId = user?.id ?? ''
    const tokenHash = Buffer.alloc(32, 7)
    const inDays = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1000)
    await db.database.insert(passwords).values({ userId, hash: '$argon2id$v=19$x' })
    const tooLate = db.database
      .insert(sessions)
      .values({ userId, tokenHash, expiresAt: inDays(91) })
    expect(await stateOf(tooLate)).toBe('23514')
    await db.database.insert(sessions).values({ userId, tokenHash, expiresAt: inDays(30) })
    const [session] = await db.database.select().from(sessions)
    expect(session?.tokenHash.toString('hex')).toBe('07'.repeat(32))
    await db.database.delete(users).where(eq(users.id, userId))
    expect(await db.database.$count(sessions)).toBe(0)
    expect(await db.database.$count(passwords)).toBe(0)
  })

  test('accepts a password only as an argon2id hash', async () => {
    const [user] = await db.database.insert(users).values(newUser('plain@example.com')).returning()
    const query = db.database.insert(passwords).values({ userId: user?.id ?? '', hash: 'letmein' })
    expect(await stateOf(query)).toBe('23514')
  })
})
