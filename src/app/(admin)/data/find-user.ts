import 'server-only'
import { and, asc, desc, eq, gt, sql } from 'drizzle-orm'
import { database } from '@/core/db/client'
import { accounts, passwords, sessions, users } from '@/core/db/schema'
import type { SignedInScope } from '@/core/guard/policy'
import type { ListedUser } from './list-users'

export type User = ListedUser & { emailVerifiedAt: Date | undefined; hasPassword: boolean }

export type UserSession = {
  id: string
  createdAt: Date
  lastSeenAt: Date
  expiresAt: Date
  address: string | undefined
  userAgent: string | undefined
}

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

/** The newest hundred that are alive; nobody reads more, and "end all" ends all. */
export async function sessionsOf(_scope: SignedInScope, userId: string): Promise<UserSession[]> {
  const rows = await database()
    .select({
      id: sessions.id,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
      expiresAt: sessions.expiresAt,
      address: sessions.address,
      userAgent: sessions.userAgent,
    })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, sql`now()`)))
    .orderBy(desc(sessions.createdAt))
    .limit(100)
  return rows.map(({ address, userAgent, ...session }) => ({
    ...session,
    address: address ?? undefined,
    userAgent: userAgent ?? undefined,
  }))
}
