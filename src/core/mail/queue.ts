import 'server-only'
import type { Database } from '@/core/db/client'
import { type mailPurposes, mailQueue } from '@/core/db/schema'

type MailPurpose = (typeof mailPurposes)[number]

export type QueuedMail = { purpose: MailPurpose; email: string }

/** In the transaction that causes the mail. Call `wakeMailWorker()` after the commit. */
export async function queueMail(transaction: Database, mail: QueuedMail): Promise<void> {
  await transaction.insert(mailQueue).values(mail).onConflictDoNothing()
}
