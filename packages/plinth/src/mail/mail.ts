import { sql } from 'drizzle-orm'
import type { z } from 'zod'
import { env, StartupError } from '#config/env'
import { onCommit } from '#db/after-commit'
import { type Database, database } from '#db/client'
import { mailQueue } from '#db/schema'
import { createWakeUp } from '#jobs/queue-worker'
import type { Message } from '#mail/deliver'

type Declaration<Schema extends z.ZodObject> = {
  purpose: ModuleMailPurpose
  /** Ids of what the mail is about; it is stored until the mail is sent. Never a secret. */
  data: Schema
}

type Given<Schema extends z.ZodObject> = {
  email: string
  data: z.output<Schema>
  /** For links, such as `${origin}/notes`. */
  origin: string
}

/** A kind of mail, for the manifest. */
export type Mail = { purpose: string; compose: ComposeMail }

type QueueableMail<Schema extends z.ZodObject> = Mail & {
  /** In the transaction that causes the mail. */
  queue(transaction: Database, mail: { email: string; data: z.input<Schema> }): Promise<void>
}

/**
 * A kind of mail that a module sends. `compose` runs when it is sent, which may be later and in
 * another process; undefined if there is nothing to send any more.
 */
export function mail<Schema extends z.ZodObject>(
  { purpose, data: schema }: Declaration<Schema>,
  compose: (given: Given<Schema>) => Promise<Message | undefined>,
): QueueableMail<Schema> {
  return {
    purpose,
    compose: async ({ email, data }) =>
      compose({ email, data: schema.parse(data), origin: env().AUTH_URL }),
    queue: async (transaction, { email, data }) => {
      schema.parse(data)
      await queueMail(transaction, { purpose, email, data })
    },
  }
}

type Installed = { id: string; mail?: readonly Mail[] }

/** The mail of all modules. Purposes start with the id of the module, so that no two are the same. */
export function mailOfModules(modules: readonly Installed[]): MailByPurpose {
  const found: Record<string, Mail['compose']> = {}
  for (const { id, mail = [] } of modules) {
    for (const { purpose, compose } of mail) {
      if (!purpose.startsWith(`${id}.`)) {
        throw new StartupError(
          `Module ${id}: the purpose of its mail "${purpose}" must start with "${id}.".`,
        )
      }
      if (Object.hasOwn(found, purpose)) {
        throw new StartupError(`Module ${id}: two mails have the purpose "${purpose}".`)
      }
      found[purpose] = compose
    }
  }
  return found
}

export type AccountMailPurpose =
  | 'sign_up'
  | 'reset_password'
  | 'invitation'
  | 'confirm_change'
  | 'account_changed'
  | 'recovery_opened'
  | 'recovery_reminder'
  | 'recovery_allowed'
  | 'recovery_rejected'
  | 'recovery_completed'

/** The module's id, a dot and a name. */
type ModuleMailPurpose = `${string}.${string}`

export type QueuedMail = {
  purpose: AccountMailPurpose | ModuleMailPurpose
  email: string
  data?: Readonly<Record<string, unknown>>
}

/** In the transaction that causes the mail. The worker sends it when the transaction has committed. */
export async function queueMail(transaction: Database, mail: QueuedMail): Promise<void> {
  await transaction.insert(mailQueue).values(mail).onConflictDoNothing()
  onCommit(mailWakeUp.wake)
}

/** Mail that is being sent for the first time is among that which is retried. */
export async function countQueuedMail(from: Database = database()) {
  const age = sql`coalesce(extract(epoch from now() - min(${mailQueue.createdAt})), 0)`
  const [row] = await from
    .select({
      waiting: sql`count(*) filter (where ${mailQueue.attempts} = 0)`.mapWith(Number),
      retrying: sql`count(*) filter (where ${mailQueue.attempts} > 0)`.mapWith(Number),
      oldestSeconds: age.mapWith(Number),
    })
    .from(mailQueue)
  return row ?? { waiting: 0, retrying: 0, oldestSeconds: 0 }
}

export const mailWakeUp = createWakeUp()

export type Recipient = { email: string; data: unknown }

/** Decides what to send, at the time of sending. Undefined if there is nothing to send. */
export type ComposeMail = (mail: Recipient) => Promise<Message | undefined>

export type MailByPurpose = Readonly<Record<string, ComposeMail>>
