import 'server-only'
import { and, asc, gte, lt, sql } from 'drizzle-orm'
import { database } from '@/core/db/client'
import { auditEvents } from '@/core/db/schema'
import type { SignedInScope } from '@/core/guard/policy'
import { dayOf, lastDays } from '../days'
import { signInDays } from '../schema'

export type SignInsOnDay = { day: string; succeeded: number; failed: number }

/** By day, up to today. Only days that nobody has looked at since they ended have to be counted. */
export async function signInsByDay(
  _scope: SignedInScope,
  count: number,
  now = new Date(),
): Promise<SignInsOnDay[]> {
  const days = lastDays(count, now)
  const known = await database()
    .select()
    .from(signInDays)
    .where(gte(signInDays.day, days[0] ?? ''))
    .orderBy(asc(signInDays.day))
  const byDay = new Map(known.map((one) => [one.day, one]))
  const missing = days.filter((day) => !byDay.has(day))
  for (const one of await countDays(missing)) byDay.set(one.day, one)
  await keep(
    missing.flatMap((day) => byDay.get(day) ?? []).filter(({ day }) => isSettled(day, now)),
  )
  return days.map((day) => byDay.get(day) ?? { day, succeeded: 0, failed: 0 })
}

/** All of these from the first to the last in one go, also those in which nothing happened. */
async function countDays(days: string[]): Promise<SignInsOnDay[]> {
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last) return []
  const day = sql<string>`to_char(${auditEvents.at} at time zone 'UTC', 'YYYY-MM-DD')`
  const rows = await database()
    .select({ day, outcome: auditEvents.outcome, events: sql<number>`count(*)`.mapWith(Number) })
    .from(auditEvents)
    .where(
      and(
        // As text, so that the index which holds nothing else is seen to fit.
        sql`${auditEvents.action} = 'sign_in'`,
        gte(auditEvents.at, startOf(first)),
        lt(auditEvents.at, new Date(startOf(last).getTime() + dayLength)),
      ),
    )
    .groupBy(day, auditEvents.outcome)
  const byDay = new Map(days.map((one) => [one, { day: one, succeeded: 0, failed: 0 }]))
  for (const { day, outcome, events } of rows) {
    const counted = byDay.get(day)
    if (counted) counted[outcome === 'success' ? 'succeeded' : 'failed'] += events
  }
  return [...byDay.values()]
}

async function keep(settled: SignInsOnDay[]): Promise<void> {
  if (settled.length > 0) {
    await database().insert(signInDays).values(settled).onConflictDoNothing()
  }
}

const dayLength = 24 * 60 * 60 * 1000

/** An event has the time at which its transaction began, and may be stored a little later. */
function isSettled(day: string, now: Date): boolean {
  return dayOf(new Date(now.getTime() - 60 * 60 * 1000)) > day
}

function startOf(day: string): Date {
  return new Date(`${day}T00:00:00.000Z`)
}
