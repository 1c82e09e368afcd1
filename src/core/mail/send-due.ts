import 'server-only'
import { eq, sql } from 'drizzle-orm'
import { database } from '@/core/db/client'
import { mailQueue } from '@/core/db/schema'
import { log } from '@/core/log'
import { compose } from '@/core/mail/compose'
import { deliver, isDeliveryFailed } from '@/core/mail/deliver'
import type { WaitingMail } from '@/core/mail/queue'

/** At once, so that one mail server that is slow to answer does not hold up everybody. */
const atOnce = 5

/** Longer than any delivery takes: only what a process left behind when it died is due again. */
const lease = '2 minutes'

/** About three hours in all, since a quarter of an hour is the longest wait. */
const attemptsAtMost = 16

type Claimed = WaitingMail & { id: number; attempts: number }

/** Sends some of what is due and says how much it took on. Safe beside any number of others. */
export async function sendDueMail(): Promise<number> {
  const claimed = await claim()
  await Promise.all(claimed.map(send))
  return claimed.length
}

/** No transaction stays open while a mail server thinks: a claim is a date, and passes by itself. */
async function claim(): Promise<Claimed[]> {
  const due = sql`(
    select id from mail_queue where due_at <= now() order by due_at limit ${atOnce}
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

async function send(mail: Claimed): Promise<void> {
  const { id: mailId, purpose, attempts: attempt } = mail
  try {
    const message = await compose(mail)
    if (message) {
      const delivery = await deliver(message)
      log().info({ mailId, purpose, ...delivery }, 'mail sent')
    }
    await forget(mail)
  } catch (error) {
    const reason = isDeliveryFailed(error) ? error.reason : { err: error }
    const last = attempt >= attemptsAtMost
    if (last) log().error({ mailId, purpose, attempt, ...reason }, 'mail given up')
    else log().warn({ mailId, purpose, attempt, ...reason }, 'mail not sent; it is tried again')
    await (last ? forget(mail) : putOff(mail))
  }
}

async function forget({ id }: Claimed): Promise<void> {
  await database().delete(mailQueue).where(eq(mailQueue.id, id))
}

/** Half a minute, a minute, two, up to a quarter of an hour. */
async function putOff({ id, attempts }: Claimed): Promise<void> {
  const seconds = Math.min(30 * 2 ** (attempts - 1), 15 * 60)
  await database()
    .update(mailQueue)
    .set({ dueAt: sql`now() + make_interval(secs => ${seconds})` })
    .where(eq(mailQueue.id, id))
}
