import { type AnyColumn, asc, desc, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'

type SortValue = string | number | Date

/**
 * A column or expression without nulls: a comparison with null is never true, so its rows would be
 * on no page. If the query excludes the nulls of a column, write it as `` sql<Date>`${column}` ``.
 */
export type Sortable =
  | (AnyColumn & { _: { notNull: true } })
  | SQL<SortValue>
  | SQL.Aliased<SortValue>

export type Order = {
  direction: 'asc' | 'desc'
  /** Timestamps in milliseconds: a `Date` has no more. */
  key: Sortable
  /** Orders rows with the same key. Omit it if the key is unique. */
  id?: Sortable
}

/** The rows after the cursor; before it, nearest first, if it leads to the previous page. */
export function keyset({ direction, key, id }: Order, cursor: Cursor | undefined) {
  const ascending = (direction === 'asc') === (cursor?.direction !== 'previous')
  const inOrder = ascending ? asc : desc
  return {
    where: cursor && beyond(),
    orderBy: id ? [inOrder(key), inOrder(id)] : [inOrder(key)],
  }

  /** A row comparison, so that an index is used to seek to the cursor. */
  function beyond(): SQL {
    const operator = sql.raw(ascending ? '>' : '<')
    return id
      ? sql`(${key}, ${id}) ${operator} (${cursor?.key}, ${cursor?.id})`
      : sql`${key} ${operator} ${cursor?.key}`
  }
}

type Page<Row> = { rows: Row[]; next: Cursor | undefined; previous: Cursor | undefined }

type List<Row> = {
  order: Order
  cursor: Cursor | undefined
  limit: number
  keyOf: (row: Row) => SortValue
}

type Read = ReturnType<typeof keyset> & { limit: number; cursor: Cursor | undefined }

/**
 * Reads one page of a list with keyset pagination: rows that are inserted or deleted meanwhile cause
 * no gap or repetition. A previous page that is not full is the start of the list, and is replaced by
 * the first page.
 */
export async function readPage<Row extends { id: string | number }>(
  { order, cursor, limit, keyOf }: List<Row>,
  read: (query: Read) => PromiseLike<Row[]>,
): Promise<Page<Row>> {
  const found = await read({ ...keyset(order, cursor), limit: limit + 1, cursor })
  const backward = cursor?.direction === 'previous'
  if (backward && found.length < limit) {
    return readPage({ order, cursor: undefined, limit, keyOf }, read)
  }
  const nearest = found.slice(0, limit)
  const rows = backward ? nearest.reverse() : nearest
  const more = found.length > limit
  return {
    rows,
    next: backward || more ? cursorAt('next', rows.at(-1)) : undefined,
    previous: (backward ? more : cursor) ? cursorAt('previous', rows[0]) : undefined,
  }

  /** On an empty page, which ends the list, the cursor is the last row before it. */
  function cursorAt(direction: Cursor['direction'], row: Row | undefined): Cursor | undefined {
    if (!row) return cursor && { ...cursor, direction }
    const key = keyOf(row)
    return {
      direction,
      key: key instanceof Date ? key.toISOString() : String(key),
      id: String(row.id),
    }
  }
}

const batchSize = 1000

/**
 * All rows, in batches that are read when they are needed. No transaction stays open: a row that is
 * inserted or deleted meanwhile is included or not, and all others are included once.
 */
export async function* readAll<Row extends { id: string | number }>(
  list: Pick<List<Row>, 'order' | 'keyOf'>,
  read: (query: Omit<Read, 'cursor'>) => PromiseLike<Row[]>,
): AsyncGenerator<Row> {
  let cursor: Cursor | undefined
  do {
    const { rows, next } = await readPage({ ...list, cursor, limit: batchSize }, read)
    yield* rows
    cursor = next
  } while (cursor)
}

/**
 * As `readPage`, for a page that is shown again after a row on it was deleted: the last page if it
 * became empty. Not for an export, which would repeat rows.
 */
export async function readPageOrLast<Row extends { id: string | number }>(
  list: List<Row>,
  read: (query: Omit<Read, 'cursor'>) => PromiseLike<Row[]>,
): Promise<Page<Row>> {
  const page = await readPage(list, read)
  if (page.rows.length > 0 || !list.cursor) return page
  const direction = list.order.direction === 'asc' ? 'desc' : 'asc'
  const fromEnd = { ...list, order: { ...list.order, direction }, cursor: undefined } as const
  const { rows, next: before } = await readPage(fromEnd, read)
  return {
    rows: rows.toReversed(),
    next: undefined,
    previous: before && { ...before, direction: 'previous' },
  }
}

/** A row of a list, from which the page after or before it is read. */
export type Cursor = {
  direction: 'next' | 'previous'
  /** The value that the list is sorted by, as text. */
  key: string
  id: string
}

/** The year 0 exists in JavaScript but not in PostgreSQL. */
export const timestampKey = z.iso.datetime({ precision: 3 }).regex(/^(?!0000)/)

/** PostgreSQL rejects the null character. */
export const textKey = z
  .string()
  .max(300)
  .regex(/^[^\0]*$/)

/** A cursor as text, opaque to clients. `row` validates the key, the id and what else it contains. */
export function defineCursor<Row extends Omit<Cursor, 'direction'>>(row: z.ZodType<Row>) {
  const cursor = z.object({ direction: z.enum(['next', 'previous']) }).and(row)
  const cursorField = z
    .string()
    .max(1000)
    .regex(/^[\w-]+$/)
    .transform((text, context) => {
      const checked = cursor.safeParse(parseJson(Buffer.from(text, 'base64url').toString()))
      if (checked.success) return checked.data
      context.addIssue({ code: 'custom', message: 'Invalid cursor.' })
      return z.NEVER
    })
  const encodeCursor = (value: z.output<typeof cursor>): string =>
    Buffer.from(JSON.stringify(value)).toString('base64url')
  return { cursorField, encodeCursor }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The pattern of `like` for text that contains this. */
export function containing(text: string): string {
  return `%${text.replace(/[%_\\]/g, '\\$&')}%`
}
