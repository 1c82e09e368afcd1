import 'server-only'
import { asc, eq } from 'drizzle-orm'
import { database } from '@/core/db/client'
import { accounts, passwords, users } from '@/core/db/schema'
import type { ListedUser } from './list-users'

export type User = ListedUser & { emailVerifiedAt: Date | undefined; hasPassword: boolean }

export async function findUser(id: string): Promise<User | undefined> {
  const [row] = await database()
    .select({
      id: users.id,
      email: users.email,
      name: users.name,
      role: users.role,
      createdAt: users.createdAt,
      emailVerifiedAt: users.emailVerifiedAt,
      // Shows that a password is set, without reading the hash.
      passwordUserId: passwords.userId,
    })
    .from(users)
    .leftJoin(passwords, eq(passwords.userId, users.id))
    .where(eq(users.id, id))
  if (!row) return undefined
  const { emailVerifiedAt, passwordUserId, ...user } = row
  return {
    ...user,
    emailVerifiedAt: emailVerifiedAt ?? undefined,
    hasPassword: passwordUserId !== null,
  }
}

/** At most one account of each provider: the database accepts no second one. */
export async function findProviders(userId: string): Promise<string[]> {
  const rows = await database()
    .select({ provider: accounts.provider })
    .from(accounts)
    .where(eq(accounts.userId, userId))
    .orderBy(asc(accounts.provider))
  return rows.map(({ provider }) => provider)
}
