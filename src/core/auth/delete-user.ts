import 'server-only'
import { eq } from 'drizzle-orm'
import type { Database } from '@/core/db/client'
import { mailQueue, users, verificationTokens } from '@/core/db/schema'

/**
 * With everything that is theirs: sessions, password and providers go by themselves, links and mail
 * also where they are only the address's. False when there is no such person any more.
 */
export async function deleteUser(transaction: Database, userId: string): Promise<boolean> {
  const [gone] = await transaction
    .delete(users)
    .where(eq(users.id, userId))
    .returning({ email: users.email })
  if (!gone) return false
  await transaction.delete(mailQueue).where(eq(mailQueue.email, gone.email))
  await transaction.delete(verificationTokens).where(eq(verificationTokens.email, gone.email))
  return true
}
