import 'server-only'
import { sql } from 'drizzle-orm'
import { database } from '@/core/db/client'

/** Sums up the rows that the triggers of users have added. */
export async function compactUserCounts(): Promise<void> {
  await database().execute(sql`select compact_user_counts()`)
}
