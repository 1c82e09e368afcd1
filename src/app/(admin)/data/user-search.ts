import 'server-only'
import { type AnyColumn, or, type SQL, sql } from 'drizzle-orm'
import { users } from 'plinth/db/schema'
import { lowerName } from './user-order'

/**
 * Case-insensitive substring of the email or the name. The search index stores trigrams. Text
 * without three letters or digits in a row cannot use it, so it must be a prefix instead.
 */
export function matches(query: string, search: AnyColumn): SQL {
  const text = escapeLike(query)
  if (hasTrigram(query)) return sql`${search} like lower(${`%${text}%`})`
  return sql`(${search} like lower(${`${text}%`}) or ${search} like lower(${`%\n${text}%`}))`
}

/** The same condition in the form that matches the indexes. */
export function matchesByIndex(query: string): SQL | undefined {
  if (hasTrigram(query)) return matches(query, users.search)
  const prefix = sql`lower(${`${escapeLike(query)}%`})`
  return or(sql`${users.email} like ${prefix}`, sql`${lowerName} like ${prefix}`)
}

function hasTrigram(query: string): boolean {
  return /[\p{L}\p{N}]{3}/u.test(query)
}

function escapeLike(query: string): string {
  return query.replace(/[%_\\]/g, '\\$&')
}
