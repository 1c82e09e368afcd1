import 'server-only'
import { eq } from 'drizzle-orm'
import type { Database } from 'plinth/db/client'
import { rememberedBrowsers, signInChallenges, signInLinks } from '../schema'

/** Someone who was signed out must not come back without a proof that is newer than that. */
export async function endEarlierProofs(transaction: Database, userId: string): Promise<void> {
  for (const table of [rememberedBrowsers, signInChallenges, signInLinks]) {
    await transaction.delete(table).where(eq(table.userId, userId))
  }
}
