import 'server-only'
import { sql } from 'drizzle-orm'
import { database } from '@/core/db/client'

/** Makes few rows of the many that the triggers of users have written since. */
export async function foldUserCounts(): Promise<void> {
  await database().execute(sql`select fold_user_counts()`)
}
