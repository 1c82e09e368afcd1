import 'server-only'
import { gt, gte, sql } from 'drizzle-orm'
import { database } from 'plinth/db/client'
import { sessions, userCounts } from 'plinth/db/schema'
import { type Role, roles } from 'plinth/universal/users'
import { lastDays } from '../days'
import { type Total, userCount } from './count-users'

export async function usersByRole(): Promise<Record<Role, number>> {
  const rows = await database()
    .select({ role: userCounts.role, count: userCount })
    .from(userCounts)
    .groupBy(userCounts.role)
  const counted = new Map(rows.map(({ role, count }) => [role, count]))
  return Object.fromEntries(roles.map((role) => [role, counted.get(role) ?? 0])) as Record<
    Role,
    number
  >
}

export type UsersOnDay = { day: string; joined: number; total: number }

/** Existing users only: how many joined on each day, and the total at its end. */
export async function usersOverTime(dayCount: number): Promise<UsersOnDay[]> {
  const days = lastDays(dayCount)
  const joined = await database()
    .select({ day: userCounts.day, count: userCount })
    .from(userCounts)
    .where(gte(userCounts.day, days[0] ?? ''))
    .groupBy(userCounts.day)
  const byDay = new Map(joined.map(({ day, count }) => [day, count]))
  const all = Object.values(await usersByRole()).reduce((sum, count) => sum + count, 0)
  let total = all - joined.reduce((sum, { count }) => sum + count, 0)
  return days.map((day) => {
    const joinedToday = byDay.get(day) ?? 0
    total += joinedToday
    return { day, joined: joinedToday, total }
  })
}

/** Counting more takes ever longer, and the exact number is of no more use. */
const maxCounted = 100_000

export async function activeSessions(): Promise<Total> {
  const active = database()
    .select({ one: sql`1` })
    .from(sessions)
    .where(gt(sessions.expiresAt, sql`now()`))
    .limit(maxCounted + 1)
    .as('active')
  const count = await database().$count(active)
  return { count: Math.min(count, maxCounted), exact: count <= maxCounted }
}
