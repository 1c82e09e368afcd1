import 'server-only'
import { and, eq, sql } from 'drizzle-orm'
import { database } from 'plinth/db/client'
import { userCounts, users } from 'plinth/db/schema'
import type { Role } from 'plinth/universal/users'
import { matchesByIndex } from './user-search'

export type UserFilter = { query?: string | undefined; role?: Role | undefined }

/** If not exact, a lower bound. */
export type Total = { count: number; exact: boolean }

/** Counting further would take longer than listing a page. */
const maxCounted = 1000

export async function countUsers({ query, role }: UserFilter): Promise<Total> {
  if (!query) return { count: await totalUsers(role), exact: true }
  const found = database()
    .select({ one: sql`1` })
    .from(users)
    .where(and(matchesByIndex(query), role && eq(users.role, role)))
    .limit(maxCounted + 1)
    .as('found')
  const count = await database().$count(found)
  return { count: Math.min(count, maxCounted), exact: count <= maxCounted }
}

/** The number of users of one role or of all, from the counts that the database maintains. */
export async function totalUsers(role?: Role): Promise<number> {
  const [row] = await database()
    .select({ count: userCount })
    .from(userCounts)
    .where(role && eq(userCounts.role, role))
  return row?.count ?? 0
}

export const userCount = sql<number>`coalesce(sum(${userCounts.change}), 0)`.mapWith(Number)
