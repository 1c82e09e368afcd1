import { eq, inArray, ne } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { createDemoAccounts } from '#auth/accounts/users'
import {
  encodeSessionCursor,
  exportUserSessions,
  listUserSessions,
  sessionCursorField,
} from '#auth/sessions/list'
import type { Cursor } from '#db/list'
import { sessions } from '#db/schema'
import { testDatabase } from '#testing/database/database'
import { userIdOf } from '#testing/database/database-rows'
import { signedInScope } from '#testing/scope'

const db = testDatabase()

let viewer: string
let current: string

beforeEach(async () => {
  await createDemoAccounts(db.database)
  await db.database.delete(sessions)
  viewer = await userIdOf(db.database, 'viewer@example.com')
  current = (await signedInScope(db.database, 'viewer@example.com')).session.id
  // The least recently seen.
  await db.database.update(sessions).set({ lastSeenAt: minutesAgo(1000) })
})

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)

/** Each copied from the current session, with its own token. Most recently seen first. */
async function addSessions(lastSeenMinutes: readonly number[]): Promise<string[]> {
  const [copied] = await db.database.select().from(sessions).where(eq(sessions.id, current))
  if (!copied) throw new Error('There is no current session.')
  const rows = lastSeenMinutes.map((minutes) => ({
    ...copied,
    id: crypto.randomUUID(),
    tokenHash: Buffer.from(crypto.getRandomValues(new Uint8Array(32))),
    lastSeenAt: minutesAgo(minutes),
  }))
  await db.database.insert(sessions).values(rows)
  return rows.map(({ id }) => id)
}

const range = (length: number) => Array.from({ length }, (_, index) => index + 1)

async function read(cursor?: Cursor) {
  // As the URL carries it.
  const carried = cursor && sessionCursorField.parse(encodeSessionCursor(cursor))
  const page = await listUserSessions(viewer, current, carried)
  return { ...page, ids: page.sessions.map(({ id }) => id) }
}

test('lists live sessions, first the current one, then the most recently seen', async () => {
  const [newest, middle, oldest, expired] = await addSessions([10, 20, 30, 5])
  await signedInScope(db.database, 'editor@example.com')
  const expiresAt = minutesAgo(1)
  await db.database
    .update(sessions)
    .set({ expiresAt })
    .where(eq(sessions.id, expired ?? ''))
  expect((await read()).ids).toEqual([current, newest, middle, oldest])
  const ofOther = await listUserSessions(viewer, crypto.randomUUID())
  expect(ofOther.sessions.map(({ id }) => id)).toEqual([newest, middle, oldest, current])
})

test('has pages of 20 in both directions, with the current session on the first only', async () => {
  const others = await addSessions(range(500))
  const pages = [await read()]
  for (let next = pages[0]?.next; next; next = pages.at(-1)?.next) pages.push(await read(next))
  expect(pages.flatMap(({ ids }) => ids)).toEqual([current, ...others])
  expect(pages.map(({ ids }) => ids.length)).toEqual([...range(25).map(() => 20), 1])
  for (const index of [25, 24, 23, 3, 2, 1]) {
    const back = await read(pages[index]?.previous)
    expect(back.ids).toEqual(pages[index - 1]?.ids)
  }
  expect(pages[0]?.previous).toBeUndefined()
  expect((await read(pages[1]?.previous)).previous).toBeUndefined()
})

test('lists each of many sessions seen at the same time once', async () => {
  await addSessions(range(45).map(() => 7))
  const lastSeenAt = minutesAgo(7)
  await db.database.update(sessions).set({ lastSeenAt }).where(ne(sessions.id, current))
  const first = await read()
  const second = await read(first.next)
  const third = await read(second.next)
  expect(first.ids[0]).toBe(current)
  expect(new Set([...first.ids, ...second.ids, ...third.ids]).size).toBe(46)
  expect(third).toMatchObject({ next: undefined, ids: { length: 6 } })
  expect((await read(third.previous)).ids).toEqual(second.ids)
  expect((await read(second.previous)).ids).toEqual(first.ids)
})

test('a page stays where it is when sessions on it end, and leads back when it is empty', async () => {
  const others = await addSessions(range(25))
  const { next } = await read()
  const second = await read(next)
  expect(second.ids).toEqual(others.slice(19))
  const [ended, ...rest] = second.ids
  await db.database.delete(sessions).where(eq(sessions.id, ended ?? ''))
  expect((await read(next)).ids).toEqual(rest)
  await db.database.delete(sessions).where(inArray(sessions.id, rest))
  const back = await read(next)
  expect(back).toMatchObject({ next: undefined, previous: undefined })
  expect(back.ids).toEqual([current, ...others.slice(0, 19)])
})

test('a cursor of a session that has ended or of another user leads into the own list', async () => {
  const others = await addSessions(range(25))
  const editor = (await signedInScope(db.database, 'editor@example.com')).session
  const foreign = { direction: 'next', key: minutesAgo(10).toISOString(), id: editor.id } as const
  expect((await read(foreign)).ids.every((id) => others.includes(id))).toBe(true)
  const { next } = await read()
  await db.database.delete(sessions).where(eq(sessions.id, next?.id ?? ''))
  expect((await read(next)).ids).toEqual(others.slice(19))
})

test('rejects forged cursors', () => {
  const cursor = { direction: 'next', key: '2026-01-01T00:00:00.000Z', id: current } as const
  expect(sessionCursorField.safeParse(encodeSessionCursor(cursor)).success).toBe(true)
  for (const forged of [
    { ...cursor, key: "'; drop table sessions" },
    { ...cursor, key: 'infinity' },
    { ...cursor, id: '1' },
    { ...cursor, direction: 'up' },
  ]) {
    const text = Buffer.from(JSON.stringify(forged)).toString('base64url')
    expect(sessionCursorField.safeParse(text).success).toBe(false)
  }
})

test('exports all sessions in batches', async () => {
  const others = await addSessions(range(1100))
  const exported = await exportUserSessions(viewer, current)
  expect(exported.map(({ id }) => id)).toEqual([current, ...others])
})

test('returns no token', async () => {
  const [listed] = (await read()).sessions
  expect(Object.keys(listed ?? {}).sort()).toEqual([
    'createdAt',
    'expiresAt',
    'id',
    'ip',
    'lastSeenAt',
    'userAgent',
  ])
  expect(listed).toMatchObject({ ip: '127.0.0.1', userAgent: 'test' })
})
