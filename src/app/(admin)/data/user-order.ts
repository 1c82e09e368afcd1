import 'server-only'
import { type AnyColumn, asc, desc, type SQL, sql } from 'drizzle-orm'
import { users } from '@/core/db/schema'
import type { Cursor } from '../cursor'
import type { Sort } from '../fields'

type Expression = AnyColumn | SQL | SQL.Aliased

/** The columns users are sorted by, in the table or in a subquery. */
export type SortColumns = Record<'id' | 'email' | 'createdAt' | 'lowerName', Expression>

/** Lowercased by the database: JavaScript's rules may differ. */
export const lowerName = sql<string>`lower(${users.name})`

export const sortedUsers: SortColumns = {
  id: users.id,
  email: users.email,
  createdAt: users.createdAt,
  lowerName,
}

/** Each order has an index, for all users and per role, so no query sorts. */
export function orderBy(sort: Sort, { id, email, createdAt, lowerName }: SortColumns): SQL[] {
  switch (sort) {
    case 'newest':
      return [desc(createdAt), desc(id)]
    case 'oldest':
      return [asc(createdAt), asc(id)]
    case 'name':
      return [asc(lowerName), asc(id)]
    case 'email':
      return [asc(email)]
  }
}

/** A row comparison, so that the index is used to seek to the cursor. */
export function afterCursor({ sort, key, id: cursorId }: Cursor, of: SortColumns): SQL {
  switch (sort) {
    case 'newest':
      return sql`(${of.createdAt}, ${of.id}) < (${key}::timestamptz, ${cursorId}::uuid)`
    case 'oldest':
      return sql`(${of.createdAt}, ${of.id}) > (${key}::timestamptz, ${cursorId}::uuid)`
    case 'name':
      return sql`(${of.lowerName}, ${of.id}) > (${key}::text, ${cursorId}::uuid)`
    case 'email':
      return sql`${of.email} > ${key}`
  }
}

type SortValues = { id: string; email: string; createdAt: Date; lowerName: string }

export function cursorAt(sort: Sort, { id, email, createdAt, lowerName }: SortValues): Cursor {
  const keys = { newest: createdAt.toISOString(), name: lowerName, email }
  return { sort, key: keys[sort === 'oldest' ? 'newest' : sort], id }
}
