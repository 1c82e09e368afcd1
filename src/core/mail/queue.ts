import 'server-only'
import type { Database } from '@/core/db/client'
import { type mailPurposes, mailQueue } from '@/core/db/schema'

type MailPurpose = (typeof mailPurposes)[number]

export type WaitingMail = { purpose: MailPurpose; email: string }

/**
 * Given the transaction that is the reason for it, so that the one is never stored without the
 * other. Once that is committed, `sendSoon()` saves the wait until somebody looks.
 */
export async function queueMail(transaction: Database, mail: WaitingMail): Promise<void> {
  await transaction.insert(mailQueue).values(mail).onConflictDoNothing()
}
