import 'server-only'
import { onCommit } from '@/core/db/after-commit'
import type { Database } from '@/core/db/client'
import { mailQueue } from '@/core/db/schema'
import { wakeMailWorker } from '@/core/mail/wake'

export type AccountMailPurpose =
  | 'sign_up'
  | 'reset_password'
  | 'password_changed'
  | 'invitation'
  | 'account_linked'
  | 'account_unlinked'

/** The module's id, a dot and a name. */
export type ModuleMailPurpose = `${string}.${string}`

export type QueuedMail = {
  purpose: AccountMailPurpose | ModuleMailPurpose
  email: string
  data?: Readonly<Record<string, unknown>>
}

/** In the transaction that causes the mail. The worker sends it when the transaction has committed. */
export async function queueMail(transaction: Database, mail: QueuedMail): Promise<void> {
  await transaction.insert(mailQueue).values(mail).onConflictDoNothing()
  onCommit(wakeMailWorker)
}
