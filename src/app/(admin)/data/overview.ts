import 'server-only'
import { gt, gte, sql } from 'drizzle-orm'
import { type Role, roles } from '@/core/auth/roles'
import { database } from '@/core/db/client'
import { sessions, userCounts } from '@/core/db/schema'
import type { SignedInScope } from '@/core/guard/policy'
import { lastDays } from '../days'
import { people, type Total } from './count-users'

export async function peopleByRole(_scope: SignedInScope): Promise<Record<Role, number>> {
  const rows = await database()
    .select({ role: userCounts.role, people })
    .from(userCounts)
    .groupBy(userCounts.role)
  const counted = new Map(rows.map(({ role, people }) => [role, people]))
  return Object.fromEntries(roles.map((role) => [role, counted.get(role) ?? 0])) as Record<
    Role,
    number
  >
}

export type PeopleOnDay = { day: string; joined: number; total: number }

/** Of the people who are here now: how many came on each day, and how many had come by its end. */
export async function peopleOverTime(scope: SignedInScope, count: number): Promise<PeopleOnDay[]> {
  const days = lastDays(count)
  const joined = await database()
    .select({ day: userCounts.day, people })
    .from(userCounts)
    .where(gte(userCounts.day, days[0] ?? ''))
    .groupBy(userCounts.day)
  const byDay = new Map(joined.map(({ day, people }) => [day, people]))
  const all = Object.values(await peopleByRole(scope)).reduce((sum, some) => sum + some, 0)
  let total = all - joined.reduce((sum, { people }) => sum + people, 0)
  return days.map((day) => {
    const came = byDay.get(day) ?? 0
    total += came
    return { day, joined: came, total }
  })
}

/** Beyond it the exact number tells nobody more, and takes ever longer to count. */
const countedAtMost = 100_000

export async function sessionsNow(_scope: SignedInScope): Promise<Total> {
  const alive = database()
    .select({ one: sql`1` })
    .from(sessions)
    .where(gt(sessions.expiresAt, sql`now()`))
    .limit(countedAtMost + 1)
    .as('alive')
  const count = await database().$count(alive)
  return { count: Math.min(count, countedAtMost), exact: count <= countedAtMost }
}
