import 'server-only'
import { eq, sql } from 'drizzle-orm'
import type { Theme } from '@/core/config/users'
import type { Database } from '@/core/db/client'
import { users } from '@/core/db/schema'

/** Null: the browser decides. */
export type Preferences = { timeZone: string | null; theme: Theme | null }

/** Those that are absent stay. */
export async function storePreferences(
  transaction: Database,
  userId: string,
  { timeZone, theme }: { [Name in keyof Preferences]?: Preferences[Name] | undefined },
): Promise<Preferences> {
  const [stored] = await transaction
    .update(users)
    .set({
      ...(timeZone === undefined ? {} : { timeZone }),
      ...(theme === undefined ? {} : { theme }),
      updatedAt: sql`now()`,
    })
    .where(eq(users.id, userId))
    .returning({ timeZone: users.timeZone, theme: users.theme })
  return stored ?? { timeZone: null, theme: null }
}
