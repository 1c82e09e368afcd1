import { createDemoAccounts } from 'plinth/auth/accounts/users'
import type { Cursor } from 'plinth/db/list'
import { auditEvents, users } from 'plinth/db/schema'
import { testDatabase } from 'plinth/testing'
import { beforeAll, expect, test } from 'vitest'
import { encodeEventCursor, eventCursorField } from '../audit/audit-filter'
import { cursorField, encodeCursor } from '../cursor'
import { listEvents } from '../data/audit'
import { findUsers, type ListOptions } from '../data/list-users'
import { sorts } from '../fields'

const db = testDatabase()

const userId = crypto.randomUUID()

beforeAll(async () => {
  await createDemoAccounts(db.database)
  await insertUsers(60, new Date('2026-01-01T00:00:00.000Z'))
  await insertEvents(60, new Date('2025-01-01T00:00:00.000Z'))
})

/** Equal times and names, so that only the id distinguishes the users. */
async function insertUsers(count: number, createdAt: Date) {
  const rows = Array.from({ length: count }, () => ({
    email: `member-${crypto.randomUUID()}@example.org`,
    name: 'Ana',
    createdAt,
  }))
  await db.database.insert(users).values(rows)
}

/** Inserts events by and about the user in turn. */
async function insertEvents(count: number, at: Date) {
  const rows = Array.from({ length: count }, (_, index) => ({
    at,
    action: 'sign_in',
    outcome: 'success' as const,
    [index % 2 ? 'actorId' : 'targetId']: userId,
  }))
  await db.database.insert(auditEvents).values(rows)
}

/** Small bounds, so that few users reach every branch of a search. */
const allBounds = [
  { window: 2000, candidates: 2000 },
  { window: 20, candidates: 2000 },
  { window: 20, candidates: 10 },
]

const searches = [undefined, 'member', 'a']

test.each(sorts)('users by %s: back to the first page', async (sort) => {
  for (const bounds of allBounds) {
    for (const query of searches) {
      const read = async (cursor?: ListOptions['cursor']) => {
        // As the URL carries it.
        const carried = cursor && cursorField.parse(encodeCursor(cursor))
        const page = await findUsers({ query, sort, limit: 20, cursor: carried }, bounds)
        return { ...page, ids: page.users.map(({ id }) => id) }
      }
      const first = await read()
      const second = await read(first.next)
      const third = await read(second.next)
      expect(new Set([...first.ids, ...second.ids, ...third.ids]).size).toBe(60)
      const back = await read(third.previous)
      expect(back.ids, `${query}`).toEqual(second.ids)
      const start = await read(back.previous)
      expect(start.ids, `${query}`).toEqual(first.ids)
      expect([first.previous, start.previous]).toEqual([undefined, undefined])
    }
  }
})

test('users who joined meanwhile are on the page before the first one read', async () => {
  const read = (cursor?: ListOptions['cursor']) =>
    findUsers({ query: 'member', sort: 'newest', limit: 20, cursor })
  const first = await read()
  const second = await read(first.next)
  await insertUsers(2, new Date('2026-01-02T00:00:00.000Z'))
  const back = await read(second.previous)
  expect(back.users).toEqual(first.users)
  const start = await read(back.previous)
  expect(start.users.slice(2)).toEqual(first.users.slice(0, 18))
  expect(start.previous).toBeUndefined()
})

test.each([
  ['all events', {}],
  ['events by and about a user', { user: userId }],
])('%s: back to the first page, also with new events', async (_, filter) => {
  const read = (cursor?: Cursor) =>
    listEvents(filter, {
      cursor: cursor && eventCursorField.parse(encodeEventCursor(cursor)),
      limit: 20,
    })
  const first = await read()
  const second = await read(first.next)
  const third = await read(second.next)
  const back = await read(third.previous)
  expect(back.events).toEqual(second.events)
  const start = await read(back.previous)
  expect(start.events).toEqual(first.events)
  expect([first.previous, start.previous]).toEqual([undefined, undefined])

  await insertEvents(2, new Date('2025-01-02T00:00:00.000Z'))
  const again = await read(second.previous)
  expect(again.events).toEqual(first.events)
  const newest = await read(again.previous)
  expect(newest.events.slice(2)).toEqual(first.events.slice(0, 18))
})

test.each(['1700000000000_4', 'x', Buffer.from('{}').toString('base64url')])(
  'rejects the invalid event cursor %s',
  (text) => {
    expect(eventCursorField.safeParse(text).success).toBe(false)
  },
)
