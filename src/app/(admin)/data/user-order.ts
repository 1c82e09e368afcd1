import 'server-only'
import { type AnyColumn, asc, desc, type SQL, sql } from 'drizzle-orm'
import { users } from '@/core/db/schema'
import type { Cursor } from '../cursor'
import type { Sort } from '../fields'

type Expression = AnyColumn | SQL | SQL.Aliased

/** What people are sorted by, in the table or in what was taken from it. */
export type Sorted = Record<'id' | 'email' | 'createdAt' | 'lowerName', Expression>

/** As the database lowers it, which need not be JavaScript's way. */
export const lowerName = sql<string>`lower(${users.name})`

export const sortedUsers: Sorted = {
  id: users.id,
  email: users.email,
  createdAt: users.createdAt,
  lowerName,
}

/** Each is an index of users, for all and within a role, so that no page is sorted when asked for. */
export function orderBy(sort: Sort, { id, email, createdAt, lowerName }: Sorted): SQL[] {
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

/** Whoever stands behind the cursor: compared as a row, so that the index finds the place. */
export function behind({ sort, key, id: last }: Cursor, of: Sorted): SQL {
  switch (sort) {
    case 'newest':
      return sql`(${of.createdAt}, ${of.id}) < (${key}::timestamptz, ${last}::uuid)`
    case 'oldest':
      return sql`(${of.createdAt}, ${of.id}) > (${key}::timestamptz, ${last}::uuid)`
    case 'name':
      return sql`(${of.lowerName}, ${of.id}) > (${key}::text, ${last}::uuid)`
    case 'email':
      return sql`${of.email} > ${key}`
  }
}

type Placed = { id: string; email: string; createdAt: Date; lowerName: string }

export function cursorAt(sort: Sort, { id, email, createdAt, lowerName }: Placed): Cursor {
  const keys = { newest: createdAt.toISOString(), name: lowerName, email }
  return { sort, key: keys[sort === 'oldest' ? 'newest' : sort], id }
}
