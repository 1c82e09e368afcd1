import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import { eq, inArray, sql } from 'drizzle-orm'
import { singleton } from '@/core/config/singleton'
import { database, runInBackground } from '@/core/db/client'
import { mailQueue } from '@/core/db/schema'
import { logFailure } from '@/core/http/request-log'
import { log } from '@/core/log/log'
import { deliver, isDeliveryError } from '@/core/mail/deliver'
import {
  type ComposeMail,
  type MailByPurpose,
  nextWake,
  type Recipient,
  wakeMailWorker,
} from '@/core/mail/mail'

/** Finds mail that another instance left behind, and mail that is due for a retry. */
const pollIntervalMs = 15_000

/** A message that is cut off at shutdown is sent again later. */
const shutdownTimeoutMs = 5_000

const current = singleton('mail.worker', (): { stop?: () => Promise<void> } => ({}))

/** Sends queued mail in the background: no request waits for a mail server. */
export function startMailWorker(mail: MailByPurpose): void {
  const stopping = new AbortController()
  const running = runInBackground(() => runUntil(stopping.signal, mail))
  current.stop = async () => {
    stopping.abort()
    wakeMailWorker()
    await Promise.race([running, pause(shutdownTimeoutMs, undefined, { ref: false })])
  }
}

export async function stopMailWorker(): Promise<void> {
  const { stop } = current
  delete current.stop
  await stop?.()
}

async function runUntil(stopping: AbortSignal, mail: MailByPurpose): Promise<void> {
  while (!stopping.aborted) {
    // Subscribed before the queue is read, so that no wake-up is missed.
    const woken = nextWake(pollIntervalMs)
    await sendAll(stopping, mail)
    await woken
  }
}

async function sendAll(stopping: AbortSignal, mail: MailByPurpose): Promise<void> {
  try {
    while (!stopping.aborted && (await sendDueMail(mail)) > 0);
  } catch (error) {
    if (!stopping.aborted)
      logFailure(error, 'mail worker failed; retrying later', { level: 'warn' })
  }
}

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
