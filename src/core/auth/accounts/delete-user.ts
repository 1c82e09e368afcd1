import 'server-only'
import { eq } from 'drizzle-orm'
import type { Database } from '@/core/db/client'
import { mailQueue, users, verificationTokens } from '@/core/db/schema'

/**
 * Deletes the user with sessions, password, linked accounts, links and queued mail. Audit events
 * stay. False if the user does not exist.
 */
export async function deleteUserAndData(transaction: Database, id: string): Promise<boolean> {
  const [deleted] = await transaction
    .delete(users)
    .where(eq(users.id, id))
    .returning({ email: users.email })
  if (!deleted) return false
  // Links and mail from before sign-up have no user id.
  await transaction.delete(verificationTokens).where(eq(verificationTokens.email, deleted.email))
  await transaction.delete(mailQueue).where(eq(mailQueue.email, deleted.email))
  return true
}
