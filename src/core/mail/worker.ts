import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import { singleton } from '@/core/config/singleton'
import { runInBackground } from '@/core/db/client'
import { logFailure } from '@/core/http/request-log'
import { type MailByPurpose, sendDueMail } from '@/core/mail/send-due'
import { nextWake, wakeMailWorker } from '@/core/mail/wake'

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
