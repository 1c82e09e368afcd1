import 'server-only'
import { or, type SQL, sql } from 'drizzle-orm'
import type { Sorted } from './user-order'

/**
 * A part of the address or of the name, in capitals or not. Three letters in a row are what the
 * index is made of; text without them would be compared with everybody, so it has to be how the
 * address or the name begins.
 */
export function matches(query: string, { email, lowerName }: Sorted): SQL | undefined {
  const text = query.replace(/[%_\\]/g, '\\$&')
  if (/[\p{L}\p{N}]{3}/u.test(query)) {
    // The very expression of the index.
    return sql`(${email} || E'\\n' || ${lowerName}) like lower(${`%${text}%`})`
  }
  const beginning = sql`lower(${`${text}%`})`
  return or(sql`${email} like ${beginning}`, sql`${lowerName} like ${beginning}`)
}
