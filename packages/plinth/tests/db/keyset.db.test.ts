import { sql } from 'drizzle-orm'
import { integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  type Cursor,
  defineCursor,
  type Order,
  readPage,
  readPageOrLast,
  textKey,
  timestampKey,
} from '#db/list'
import { testDatabase } from '#testing/database/database'

const db = testDatabase()

const notes = pgTable('notes', {
  id: integer('id').notNull(),
  rank: integer('rank').notNull(),
  title: text('title'),
  at: timestamp('at', { withTimezone: true, precision: 3 }).notNull(),
})

const { cursorField, encodeCursor } = defineCursor(
  z.object({ key: z.string().regex(/^\d+$/), id: z.string().regex(/^\d+$/) }),
)

const note = (id: number, rank = Math.floor(id / 3)) => ({ id, rank, at: new Date(id * 1000) })

beforeEach(async () => {
  await db.database.execute(sql`drop table if exists notes`)
  await db.database.execute(sql`
    create table notes (id int not null, rank int not null, title text, at timestamptz(3) not null)
  `)
  // Three notes share each rank. Ids leave room for insertions.
  const ids = Array.from({ length: 10 }, (_, index) => (index + 1) * 10)
  await db.database.insert(notes).values(ids.map((id) => note(id, Math.floor(id / 30))))
})

type Note = typeof notes.$inferSelect

async function read(
  direction: Order['direction'],
  cursor?: Cursor,
  limit = 3,
  readAs: typeof readPageOrLast = readPage,
) {
  const page = await readAs(
    {
      order: { key: notes.rank, id: notes.id, direction },
      // As a URL carries it.
      cursor: cursor && cursorField.parse(encodeCursor(cursor)),
      limit,
      keyOf: ({ rank }: Note) => rank,
    },
    ({ where, orderBy, limit }) =>
      db.database
        .select()
        .from(notes)
        .where(where)
        .orderBy(...orderBy)
        .limit(limit),
  )
  return { ...page, ids: page.rows.map(({ id }) => id) }
}

async function insert(...ids: number[]) {
  await db.database.insert(notes).values(ids.map((id) => note(id, Math.floor(id / 30))))
}

describe.each(['asc', 'desc'] as const)('in %s order', (direction) => {
  const all = Array.from({ length: 10 }, (_, index) => (index + 1) * 10)
  const expected = direction === 'asc' ? all : all.toReversed()

  test('next, next, previous, previous returns to the first page', async () => {
    const first = await read(direction)
    expect(first).toMatchObject({ ids: expected.slice(0, 3), previous: undefined })
    const second = await read(direction, first.next)
    const third = await read(direction, second.next)
    expect([second.ids, third.ids]).toEqual([expected.slice(3, 6), expected.slice(6, 9)])
    const last = await read(direction, third.next)
    expect(last).toMatchObject({ ids: expected.slice(9), next: undefined })

    expect((await read(direction, last.previous)).ids).toEqual(third.ids)
    const back = await read(direction, third.previous)
    expect(back.ids).toEqual(second.ids)
    const start = await read(direction, back.previous)
    expect(start).toMatchObject({ ids: first.ids, next: first.next, previous: undefined })
    expect((await read(direction, start.next)).ids).toEqual(second.ids)
  })

  test('goes back over rows inserted meanwhile without gaps or repetitions', async () => {
    const first = await read(direction)
    const second = await read(direction, first.next)
    await insert(direction === 'asc' ? 5 : 105, direction === 'asc' ? 45 : 75)
    // One was inserted on the second page, one before the first.
    const back = await read(direction, (await read(direction, second.next)).previous)
    const backAgain = await read(direction, back.previous)
    expect([...backAgain.ids, ...back.ids]).toEqual(
      [...expected.slice(1, 3), ...expected.slice(3, 6), direction === 'asc' ? 45 : 75].sort(
        (a, b) => (direction === 'asc' ? a - b : b - a),
      ),
    )
    // Two rows remain before it: not a full page, so the first page is shown.
    const start = await read(direction, backAgain.previous)
    expect(start.ids).toEqual([direction === 'asc' ? 5 : 105, ...expected.slice(0, 2)])
    expect(start.previous).toBeUndefined()
  })
})

test('shows the first page if the rows before the cursor were deleted', async () => {
  const second = await read('asc', (await read('asc')).next)
  await db.database.execute(sql`delete from notes where id < 40`)
  expect(await read('asc', second.previous)).toMatchObject({
    ids: [40, 50, 60],
    previous: undefined,
  })
})

test('leads back from a page that became empty', async () => {
  const first = await read('asc', undefined, 5)
  await db.database.execute(sql`delete from notes where id > 50`)
  const empty = await read('asc', first.next, 5)
  expect(empty).toMatchObject({ ids: [], next: undefined })
  expect((await read('asc', empty.previous, 5)).ids).toEqual(first.ids)
})

describe('readPageOrLast', () => {
  const readOrLast = (direction: Order['direction'], cursor?: Cursor, limit?: number) =>
    read(direction, cursor, limit, readPageOrLast)

  test('shows the last page instead of one that became empty', async () => {
    const first = await readOrLast('asc')
    const second = await readOrLast('asc', first.next)
    await db.database.execute(sql`delete from notes where id > 60`)
    const last = await readOrLast('asc', second.next)
    expect(last).toMatchObject({ ids: [40, 50, 60], next: undefined })
    expect((await readOrLast('asc', last.previous)).ids).toEqual(first.ids)
  })

  test('shows the first page without links if all others became empty', async () => {
    const first = await readOrLast('desc')
    await db.database.execute(sql`delete from notes where id < 80`)
    expect(await readOrLast('desc', first.next)).toMatchObject({
      ids: [100, 90, 80],
      next: undefined,
      previous: undefined,
    })
  })

  test('shows an empty list without links', async () => {
    const first = await readOrLast('asc')
    await db.database.execute(sql`delete from notes`)
    expect(await readOrLast('asc', first.next)).toMatchObject({ ids: [], previous: undefined })
    expect(await readOrLast('asc')).toMatchObject({ ids: [], previous: undefined })
  })
})

test('reads one page without links if the list fits on it', async () => {
  expect(await read('desc', undefined, 10)).toMatchObject({ next: undefined, previous: undefined })
})

test('orders by a unique key alone', async () => {
  const order: Order = { key: notes.at, direction: 'desc' }
  const byTime = (cursor?: Cursor) =>
    readPage(
      { order, cursor, limit: 4, keyOf: ({ at }: Note) => at },
      ({ where, orderBy, limit }) =>
        db.database
          .select()
          .from(notes)
          .where(where)
          .orderBy(...orderBy)
          .limit(limit),
    )
  const first = await byTime()
  const second = await byTime(first.next)
  expect(second.rows.map(({ id }) => id)).toEqual([60, 50, 40, 30])
  expect((await byTime(second.previous)).rows).toEqual(first.rows)
})

test('rejects a nullable column at compile time', () => {
  // @ts-expect-error A row without a title would be on no page.
  const order: Order = { key: notes.title, id: notes.id, direction: 'asc' }
  expect(order.direction).toBe('asc')
})

test.each([
  [timestampKey, '2026-02-03T04:05:06.789Z', true],
  [timestampKey, '2026-02-30T00:00:00.000Z', false],
  [timestampKey, '0000-01-01T00:00:00.000Z', false],
  [timestampKey, '2026-02-03T04:05:06Z', false],
  [timestampKey, '1767225600000', false],
  [textKey, 'Ana', true],
  [textKey, 'a\0b', false],
  [textKey, 'x'.repeat(301), false],
])('accepts a key only if the query does too: %#', (schema, key, valid) => {
  const { cursorField, encodeCursor } = defineCursor(z.object({ key: schema, id: z.uuid() }))
  const cursor = { direction: 'previous' as const, key, id: crypto.randomUUID() }
  expect(cursorField.safeParse(encodeCursor(cursor)).success).toBe(valid)
  const sideways = Buffer.from(JSON.stringify({ ...cursor, direction: 'sideways' }))
  expect(cursorField.safeParse(sideways.toString('base64url')).success).toBe(false)
})
