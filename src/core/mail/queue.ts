import 'server-only'
import { EventEmitter, once } from 'node:events'
import { singleton } from '@/core/config/singleton'
import { type Database, onCommit } from '@/core/db/client'
import { mailQueue } from '@/core/db/schema'

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

/** Shared, because the worker runs in one bundle and mail is queued in both. */
const emitter = singleton('mail.wake', () => new EventEmitter())

/** Without it the worker finds new mail at its next poll. */
export function wakeMailWorker(): void {
  emitter.emit('wake')
}

/** Resolves at the next wake-up, or after the timeout. */
export async function nextWake(timeoutMs: number): Promise<void> {
  await once(emitter, 'wake', { signal: AbortSignal.timeout(timeoutMs) }).catch(() => {})
}
