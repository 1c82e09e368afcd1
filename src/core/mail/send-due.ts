import 'server-only'
import { eq, inArray, sql } from 'drizzle-orm'
import { database } from '@/core/db/client'
import { mailQueue } from '@/core/db/schema'
import { log } from '@/core/log/log'
import { deliver, isDeliveryError, type Message } from '@/core/mail/deliver'

/** Sent concurrently, so that one slow mail server does not delay the others. */
const concurrency = 5

/** Longer than any delivery. A claim expires only if its process died. */
const lease = '2 minutes'

/** About three hours in total. */
const maxAttempts = 16

/**
 * Until then, a purpose that this process does not know is left to others: a deployment that adds a
 * module has processes with and without it. Later, the module was removed.
 */
const unknownAfter = '1 hour'

type Claimed = Recipient & { id: number; purpose: string; attempts: number }

type Recipient = { email: string; data: unknown }

/** Decides what to send, at the time of sending. Undefined if there is nothing to send. */
export type ComposeMail = (mail: Recipient) => Promise<Message | undefined>

export type MailByPurpose = Readonly<Record<string, ComposeMail>>

/** Returns how many messages it claimed. Any number of instances can run it. */
export async function sendDueMail(mail: MailByPurpose): Promise<number> {
  const claimed = await claim(Object.keys(mail))
  await Promise.all(claimed.map((one) => send(one, mail[one.purpose])))
  return claimed.length
}

/** A claim is a due date in the future: no transaction stays open during the delivery. */
async function claim(purposes: string[]): Promise<Claimed[]> {
  const isKnown = inArray(mailQueue.purpose, purposes)
  const due = sql`(
    select id from mail_queue
    where due_at <= now() and (${isKnown} or created_at < now() - ${unknownAfter}::interval)
    order by due_at limit ${concurrency}
    for update skip locked
  )`
  return database()
    .update(mailQueue)
    .set({ attempts: sql`attempts + 1`, dueAt: sql`now() + ${lease}::interval` })
    .where(sql`${mailQueue.id} in ${due}`)
    .returning({
      id: mailQueue.id,
      purpose: mailQueue.purpose,
      email: mailQueue.email,
      data: mailQueue.data,
      attempts: mailQueue.attempts,
    })
}

async function send(mail: Claimed, compose: ComposeMail | undefined): Promise<void> {
  const { id: mailId, purpose, attempts: attempt } = mail
  try {
    if (!compose) {
      log().warn({ mailId, purpose }, 'mail dropped: no module sends this purpose')
      return await remove(mail)
    }
    const message = await compose(mail)
    if (message) {
      const delivery = await deliver(message)
      const done = 'discarded' in delivery ? 'mail discarded' : 'mail sent'
      log().info({ mailId, purpose, ...delivery }, done)
    }
    await remove(mail)
  } catch (error) {
    const reason = isDeliveryError(error) ? error.reason : { err: error }
    const last = attempt >= maxAttempts
    if (last) log().error({ mailId, purpose, attempt, ...reason }, 'mail not sent; giving up')
    else log().warn({ mailId, purpose, attempt, ...reason }, 'mail not sent; retrying later')
    await (last ? remove(mail) : postpone(mail))
  }
}

async function remove({ id }: Claimed): Promise<void> {
  await database().delete(mailQueue).where(eq(mailQueue.id, id))
}

/** Exponential backoff from 30 seconds to 15 minutes. */
async function postpone({ id, attempts }: Claimed): Promise<void> {
  const seconds = Math.min(30 * 2 ** (attempts - 1), 15 * 60)
  await database()
    .update(mailQueue)
    .set({ dueAt: sql`now() + make_interval(secs => ${seconds})` })
    .where(eq(mailQueue.id, id))
}
