import 'server-only'
import { eq } from 'drizzle-orm'
import { normalizeEmail } from 'plinth/auth/accounts/fields'
import { database } from 'plinth/db/client'
import { users } from 'plinth/db/schema'
import { searchField } from 'plinth/http/fields'
import { isUuid } from '../audit/audit-filter'
import { findUsers } from './list-users'

/** As many as the field suggests, and the same: what is suggested is found. */
const maxMatches = 8

/** Accepts the id of a deleted user, an email, or part of the name or email of current users. */
export async function findUserIds(user: string): Promise<string[]> {
  if (isUuid(user)) return [user]
  const [row] = await database()
    .select({ id: users.id })
    .from(users)
    .where(eq(users.email, normalizeEmail(user)))
  if (row) return [row.id]
  const query = searchField.safeParse(user).data
  if (!query) return []
  const found = await findUsers({ query, sort: 'newest', limit: maxMatches })
  return found.users.map(({ id }) => id)
}
