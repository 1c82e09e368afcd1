import 'server-only'
import { type AnyColumn, or, type SQL, sql } from 'drizzle-orm'
import { users } from '@/core/db/schema'
import { lowerName } from './user-order'

/**
 * A part of the address or of the name, in capitals or not. Three letters in a row are what the
 * index of the search is made of; text without them would be compared with everybody, so it has to
 * be how the address or the name begins.
 */
export function matches(query: string, search: AnyColumn): SQL {
  const text = literal(query)
  if (hasThree(query)) return sql`${search} like lower(${`%${text}%`})`
  return sql`(${search} like lower(${`${text}%`}) or ${search} like lower(${`%\n${text}%`}))`
}

/** The same, as the index that answers it has it. */
export function matchesByIndex(query: string): SQL | undefined {
  if (hasThree(query)) return matches(query, users.search)
  const beginning = sql`lower(${`${literal(query)}%`})`
  return or(sql`${users.email} like ${beginning}`, sql`${lowerName} like ${beginning}`)
}

function hasThree(query: string): boolean {
  return /[\p{L}\p{N}]{3}/u.test(query)
}

function literal(query: string): string {
  return query.replace(/[%_\\]/g, '\\$&')
}
