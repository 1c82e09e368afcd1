import 'server-only'
import { eq, sql } from 'drizzle-orm'
import { database } from '@/core/db/client'
import { mailQueue } from '@/core/db/schema'
import { log } from '@/core/log/log'
import { deliver, isDeliveryError, type Message } from '@/core/mail/deliver'
import type { QueuedMail } from '@/core/mail/queue'

/** Sent concurrently, so that one slow mail server does not delay the others. */
const concurrency = 5

/** Longer than any delivery. A claim expires only if its process died. */
const lease = '2 minutes'

/** About three hours in total. */
const maxAttempts = 16

type Claimed = QueuedMail & { id: number; attempts: number }

/** Decides what to send, at the time of sending. */
export type ComposeMail = (mail: QueuedMail) => Promise<Message | undefined>

/** Returns how many messages it claimed. Any number of instances can run it. */
export async function sendDueMail(compose: ComposeMail): Promise<number> {
  const claimed = await claim()
  await Promise.all(claimed.map((mail) => send(mail, compose)))
  return claimed.length
}

/** A claim is a due date in the future: no transaction stays open during the delivery. */
async function claim(): Promise<Claimed[]> {
  const due = sql`(
    select id from mail_queue where due_at <= now() order by due_at limit ${concurrency}
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
      attempts: mailQueue.attempts,
    })
}

async function send(mail: Claimed, compose: ComposeMail): Promise<void> {
  const { id: mailId, purpose, attempts: attempt } = mail
  try {
    const message = await compose(mail)
    if (message) {
      const delivery = await deliver(message)
      log().info({ mailId, purpose, ...delivery }, 'mail sent')
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
