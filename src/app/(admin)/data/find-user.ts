import 'server-only'
import { asc, eq, inArray } from 'drizzle-orm'
import { type Database, database } from 'plinth/db/client'
import { users } from 'plinth/db/schema'
import type { ListedUser } from './list-users'

export type User = ListedUser & { emailVerifiedAt: Date | undefined }

export async function findUser(id: string): Promise<User | undefined> {
  const [row] = await database()
    .select({ ...columns, emailVerifiedAt: users.emailVerifiedAt })
    .from(users)
    .where(eq(users.id, id))
  return row && { ...row, emailVerifiedAt: row.emailVerifiedAt ?? undefined }
}

/** The users that exist, by name. */
export function findUsersById(
  ids: readonly string[],
  from: Database = database(),
): Promise<ListedUser[]> {
  if (ids.length === 0) return Promise.resolve([])
  return from
    .select(columns)
    .from(users)
    .where(inArray(users.id, [...ids]))
    .orderBy(asc(users.name), asc(users.id))
    .execute()
}

const columns = {
  id: users.id,
  email: users.email,
  name: users.name,
  role: users.role,
  createdAt: users.createdAt,
}
