import { eq, sql } from 'drizzle-orm'
import { type Database, database } from '#db/client'
import { passwords } from '#db/schema'

export async function hasPassword(userId: string, reader = database()): Promise<boolean> {
  return (await findHash(userId, reader)) !== undefined
}

export async function findHash(userId: string, reader = database()): Promise<string | undefined> {
  const [row] = await reader
    .select({ hash: passwords.hash })
    .from(passwords)
    .where(eq(passwords.userId, userId))
  return row?.hash
}

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
