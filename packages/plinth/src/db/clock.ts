import { type SQL, sql } from 'drizzle-orm'
import type { Connection } from '#db/client'

/** The milliseconds by which the clock of the database is ahead of `performance.now()`. */
export const clock: { ahead?: number } = {}

/**
 * The time by the database, which has one clock for all instances. It goes on with a clock that no
 * one sets: a wrong time of this machine must neither end a session nor make an old sign-in recent.
 */
export function databaseNow(): number {
  return clock.ahead === undefined ? Date.now() : clock.ahead + performance.now()
}

/** `time` was read from the database by a query sent at `sentAt`, a time of `performance.now()`. */
export function setDatabaseTime(time: number, sentAt: number): void {
  clock.ahead = time - sentAt
}

export async function readDatabaseTime(connection: Connection): Promise<number> {
  const sentAt = performance.now()
  const { rows } = await connection.query(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now',
    [],
  )
  const [row] = rows as { now: number }[]
  if (row) setDatabaseTime(row.now, sentAt)
  return databaseNow()
}

/** A time to store: the database adds it to its own clock. */
export function fromNow(ms: number): SQL<Date> {
  return sql`now() + ${ms}::float8 * interval '1 millisecond'`
}
