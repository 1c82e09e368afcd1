import 'server-only'
import { asc, eq } from 'drizzle-orm'
import { listSessionsOf, type ShownSession } from '@/core/auth/list-sessions'
import { database } from '@/core/db/client'
import { accounts, passwords, users } from '@/core/db/schema'
import type { SignedInScope } from '@/core/guard/policy'
import type { ListedUser } from './list-users'

export type User = ListedUser & { emailVerifiedAt: Date | undefined; hasPassword: boolean }

export async function findUser(_scope: SignedInScope, id: string): Promise<User | undefined> {
  const [row] = await database()
    .select({
      id: users.id,
      email: users.email,
      name: users.name,
      role: users.role,
      createdAt: users.createdAt,
      emailVerifiedAt: users.emailVerifiedAt,
      // That there is one; the hash stays where it is.
      passwordOf: passwords.userId,
    })
    .from(users)
    .leftJoin(passwords, eq(passwords.userId, users.id))
    .where(eq(users.id, id))
  if (!row) return undefined
  const { emailVerifiedAt, passwordOf, ...user } = row
  return {
    ...user,
    emailVerifiedAt: emailVerifiedAt ?? undefined,
    hasPassword: passwordOf !== null,
  }
}

export async function providersOf(_scope: SignedInScope, userId: string): Promise<string[]> {
  const rows = await database()
    .select({ provider: accounts.provider })
    .from(accounts)
    .where(eq(accounts.userId, userId))
    .orderBy(asc(accounts.provider))
  return rows.map(({ provider }) => provider)
}

/** The last seen hundred; nobody reads more, and "end all" ends all. */
export async function sessionsOf(_scope: SignedInScope, userId: string): Promise<ShownSession[]> {
  return listSessionsOf(userId, 100)
}
