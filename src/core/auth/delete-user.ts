import 'server-only'
import { eq } from 'drizzle-orm'
import type { Database } from '@/core/db/client'
import { mailQueue, users, verificationTokens } from '@/core/db/schema'

/**
 * The person with everything that hangs on them: sessions, password, linked accounts, links that
 * were sent and mail that was not. The trail stays. False when there is no such person.
 */
export async function deleteUser(transaction: Database, id: string): Promise<boolean> {
  const [deleted] = await transaction
    .delete(users)
    .where(eq(users.id, id))
    .returning({ email: users.email })
  if (!deleted) return false
  // Some were made for the address before it had an account.
  await transaction.delete(verificationTokens).where(eq(verificationTokens.email, deleted.email))
  await transaction.delete(mailQueue).where(eq(mailQueue.email, deleted.email))
  return true
}
