import 'server-only'
import { sql } from 'drizzle-orm'
import type { Order, Sortable } from 'plinth/db/list'
import { users } from 'plinth/db/schema'
import type { Sort } from '../fields'

/** The columns users are sorted by, in the table or in a subquery. */
type SortColumns = Record<'id' | 'email' | 'createdAt' | 'lowerName', Sortable>

/** Lowercased by the database: JavaScript's rules may differ. */
export const lowerName = sql<string>`lower(${users.name})`

const ofTable = { id: users.id, email: users.email, createdAt: users.createdAt, lowerName }

/** Each order has an index, for all users and per role, so no query sorts. */
export function userOrder(sort: Sort, columns: SortColumns = ofTable): Order {
  const { id, email, createdAt, lowerName } = columns
  switch (sort) {
    case 'newest':
      return { key: createdAt, id, direction: 'desc' }
    case 'oldest':
      return { key: createdAt, id, direction: 'asc' }
    case 'name':
      return { key: lowerName, id, direction: 'asc' }
    case 'name_desc':
      return { key: lowerName, id, direction: 'desc' }
    case 'email':
      return { key: email, direction: 'asc' }
    case 'email_desc':
      return { key: email, direction: 'desc' }
  }
}

type SortValues = { email: string; createdAt: Date; lowerName: string }

export function sortKey(sort: Sort, { email, createdAt, lowerName }: SortValues): string | Date {
  if (sort === 'email' || sort === 'email_desc') return email
  return sort === 'name' || sort === 'name_desc' ? lowerName : createdAt
}
