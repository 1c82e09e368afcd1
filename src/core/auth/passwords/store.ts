import 'server-only'
import { sql } from 'drizzle-orm'
import type { Database } from '@/core/db/client'
import { passwords } from '@/core/db/schema'

export async function storePassword(
  transaction: Database,
  userId: string,
  hash: string,
): Promise<void> {
  const updatedAt = sql`now()`
  await transaction
    .insert(passwords)
    .values({ userId, hash, updatedAt })
    .onConflictDoUpdate({ target: passwords.userId, set: { hash, updatedAt } })
}
