import { eq, inArray, sql } from 'drizzle-orm'
import { database } from '#db/client'
import { failedMail, mailQueue } from '#db/schema'
import { backoffSeconds, startQueueWorker } from '#jobs/queue-worker'
import { runAsWork } from '#log/current-request'
import { log } from '#log/log'
import { inSpan } from '#log/trace'
import { deliver, isDeliveryError, type Message } from '#mail/deliver'
import { type ComposeMail, type MailByPurpose, mailWakeUp, type Recipient } from '#mail/mail'
import { count } from '#metrics/metrics'

const current: { stop?: () => Promise<void> } = {}

/** Sends queued mail in the background: no request waits for a mail server. */
export function startMailWorker(mail: MailByPurpose): void {
  current.stop = startQueueWorker({
    name: 'mail',
    wakeUp: mailWakeUp,
    limits: new Map([[kind, concurrency]]),
    kindOf: () => kind,
    claim: (free) => claim(Object.keys(mail), free.get(kind) ?? 0),
    process: (claimed) => send(claimed, mail[claimed.purpose]),
  })
}

export async function stopMailWorker(): Promise<void> {
  const { stop } = current
  delete current.stop
  await stop?.()
}

/** All mail goes to one server. */
const kind = 'mail'

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
  const claimed = await claim(Object.keys(mail), concurrency)
  await Promise.all(claimed.map((one) => send(one, mail[one.purpose])))
  return claimed.length
}

/** A claim is a due date in the future: no transaction stays open during the delivery. */
async function claim(purposes: string[], max: number): Promise<Claimed[]> {
  const isKnown = inArray(mailQueue.purpose, purposes)
  const due = sql`(
    select id from mail_queue
    where due_at <= now() and (${isKnown} or created_at < now() - ${unknownAfter}::interval)
    order by due_at limit ${max}
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

function send(mail: Claimed, compose: ComposeMail | undefined): Promise<void> {
  const { id: mailId, purpose, attempts } = mail
  const attributes = { 'plinth.mail.id': mailId, 'plinth.attempt': attempts }
  return runAsWork({ mailId, purpose }, () =>
    inSpan({ name: `mail ${purpose}`, attributes }, (annotate) =>
      attemptDelivery(mail, compose, (result) => {
        count('plinth_mail_deliveries_total', { result })
        annotate({ 'plinth.outcome': result })
        if (result === 'retry' || result === 'given_up') annotate({ 'error.type': 'delivery' })
      }),
    ),
  )
}

type Report = (result: 'dropped' | 'discarded' | 'sent' | 'retry' | 'given_up') => void

async function attemptDelivery(
  mail: Claimed,
  compose: ComposeMail | undefined,
  report: Report,
): Promise<void> {
  const { attempts: attempt } = mail
  let message: Message | undefined
  try {
    if (!compose) {
      await remove(mail)
      log().warn('mail dropped: no module sends this purpose')
      return report('dropped')
    }
    message = await compose(mail)
    if (!message) return await remove(mail)
    const delivery = await deliver(message)
    const result = 'discarded' in delivery ? 'discarded' : 'sent'
    log().info(delivery, `mail ${result}`)
    report(result)
  } catch (error) {
    const reason = isDeliveryError(error) ? error.reason : { err: error }
    const last = attempt >= maxAttempts
    if (last) log().error({ attempt, ...reason }, 'mail not sent; giving up')
    else log().warn({ attempt, ...reason }, 'mail not sent; retrying later')
    report(last ? 'given_up' : 'retry')
    return last ? giveUp(mail, reasonText(error)) : postpone(mail)
  }
  await removeDelivered(mail, message)
}

/** The mail was delivered, so a failure is not counted as one of the delivery, and nothing is given up. */
async function removeDelivered(mail: Claimed, { onDelivered }: Message): Promise<void> {
  try {
    await onDelivered?.()
    await remove(mail)
  } catch (error) {
    log().error(
      { attempt: mail.attempts, err: error },
      'mail delivered but still queued; it may be sent again',
    )
    await postpone(mail)
  }
}

/** Kept for the admins, who can queue it again. */
async function giveUp(mail: Claimed, reason: string): Promise<void> {
  await database().execute(sql`
    with given_up as (delete from ${mailQueue} where ${mailQueue.id} = ${mail.id} returning *)
    insert into ${failedMail} (id, purpose, email, data, created_at, attempts, reason)
    select id, purpose, email, data, created_at, attempts, ${reason} from given_up
    on conflict do nothing`)
}

/** Without the text of the mail server, which repeats the email. */
function reasonText(error: unknown): string {
  if (!isDeliveryError(error)) return String(error).slice(0, 1000)
  const { error: code, status, command } = error.reason
  return [code, status, command].filter((part) => part !== undefined).join(' ') || error.message
}

const keptFailures = '30 days'

export async function deleteOldFailedMail(max: number): Promise<number> {
  const old = sql`(select id from failed_mail where failed_at < now() - ${keptFailures}::interval
    order by failed_at limit ${max})`
  const deleted = await database()
    .delete(failedMail)
    .where(sql`${failedMail.id} in ${old}`)
    .returning({ id: failedMail.id })
  return deleted.length
}

async function remove({ id }: Claimed): Promise<void> {
  await database().delete(mailQueue).where(eq(mailQueue.id, id))
}

async function postpone({ id, attempts }: Claimed): Promise<void> {
  const seconds = backoffSeconds(attempts)
  await database()
    .update(mailQueue)
    .set({ dueAt: sql`now() + make_interval(secs => ${seconds})` })
    .where(eq(mailQueue.id, id))
}
