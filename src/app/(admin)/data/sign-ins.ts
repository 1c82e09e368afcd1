import 'server-only'
import { and, asc, gte, lt, sql } from 'drizzle-orm'
import { database } from 'plinth/db/client'
import { auditEvents } from 'plinth/db/schema'
import { lastDays, utcDay } from '../days'
import { signInDays } from '../schema'

export type SignInsOnDay = { day: string; succeeded: number; failed: number }

/** The last days up to today. Counts of past days are stored, so each day is counted once. */
export async function signInsByDay(count: number, now = new Date()): Promise<SignInsOnDay[]> {
  const days = lastDays(count, now)
  const stored = await database()
    .select()
    .from(signInDays)
    .where(gte(signInDays.day, days[0] ?? ''))
    .orderBy(asc(signInDays.day))
  const byDay = new Map(stored.map((counts) => [counts.day, counts]))
  const missing = days.filter((day) => !byDay.has(day))
  for (const counts of await countDays(missing)) byDay.set(counts.day, counts)
  await storeCounts(
    missing.flatMap((day) => byDay.get(day) ?? []).filter(({ day }) => isComplete(day, now)),
  )
  return days.map((day) => byDay.get(day) ?? { day, succeeded: 0, failed: 0 })
}

/** One query for all days between the first and the last, including days without events. */
async function countDays(days: string[]): Promise<SignInsOnDay[]> {
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last) return []
  const day = sql<string>`to_char(${auditEvents.at} at time zone 'UTC', 'YYYY-MM-DD')`
  const rows = await database()
    .select({ day, outcome: auditEvents.outcome, events: sql<number>`count(*)`.mapWith(Number) })
    .from(auditEvents)
    .where(
      and(
        // A literal, so that the planner can use the partial index on this action.
        sql`${auditEvents.action} = 'sign_in'`,
        gte(auditEvents.at, startOf(first)),
        lt(auditEvents.at, new Date(startOf(last).getTime() + dayMs)),
      ),
    )
    .groupBy(day, auditEvents.outcome)
  const byDay = new Map(days.map((day) => [day, { day, succeeded: 0, failed: 0 }]))
  for (const { day, outcome, events } of rows) {
    const counts = byDay.get(day)
    if (counts) counts[outcome === 'success' ? 'succeeded' : 'failed'] += events
  }
  return [...byDay.values()]
}

async function storeCounts(complete: SignInsOnDay[]): Promise<void> {
  if (complete.length > 0) {
    await database().insert(signInDays).values(complete).onConflictDoNothing()
  }
}

const dayMs = 24 * 60 * 60 * 1000

/** An event has the time at which its transaction started and is committed later. */
function isComplete(day: string, now: Date): boolean {
  return utcDay(new Date(now.getTime() - 60 * 60 * 1000)) > day
}

function startOf(day: string): Date {
  return new Date(`${day}T00:00:00.000Z`)
}
