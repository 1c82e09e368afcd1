import 'server-only'
import { and, eq, sql } from 'drizzle-orm'
import type { Role } from '@/core/auth/roles'
import { database } from '@/core/db/client'
import { userCounts, users } from '@/core/db/schema'
import type { SignedInScope } from '@/core/guard/policy'
import { matchesByIndex } from './user-search'

export type Filter = { query?: string | undefined; role?: Role | undefined }

/** Exact, or what is known to be there and more. */
export type Total = { count: number; exact: boolean }

/** More than anybody looks through; to count on would take longer than to list. */
const countedAtMost = 1000

export async function totalOf(scope: SignedInScope, { query, role }: Filter): Promise<Total> {
  if (!query) return { count: await peopleOf(scope, role), exact: true }
  const found = database()
    .select({ one: sql`1` })
    .from(users)
    .where(and(matchesByIndex(query), role && eq(users.role, role)))
    .limit(countedAtMost + 1)
    .as('found')
  const count = await database().$count(found)
  return { count: Math.min(count, countedAtMost), exact: count <= countedAtMost }
}

/** How many people there are, of one role or of all: from the sums that the database keeps. */
export async function peopleOf(_scope: SignedInScope, role?: Role): Promise<number> {
  const [row] = await database()
    .select({ people })
    .from(userCounts)
    .where(role && eq(userCounts.role, role))
  return row?.people ?? 0
}

export const people = sql<number>`coalesce(sum(${userCounts.change}), 0)`.mapWith(Number)
