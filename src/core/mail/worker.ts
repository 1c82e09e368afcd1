import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import { log } from '@/core/log'
import { sendDueMail } from '@/core/mail/send-due'
import { nextRing, sendSoon } from '@/core/mail/wake'
import { singleton } from '@/core/singleton'

/** How often it looks when nobody rings: what another instance left, and what waits for a retry. */
const patience = 15_000

/** How long a stop waits for a message on its way. One that is cut off is sent again later. */
const farewell = 5_000

const held = singleton('mail.worker', (): { stop?: () => Promise<void> } => ({}))

/** Sends what is queued, in the background: no request ever waits for a mail server. */
export function startMailWorker(): void {
  const stopping = new AbortController()
  const running = workUntil(stopping.signal)
  held.stop = async () => {
    stopping.abort()
    sendSoon()
    await Promise.race([running, pause(farewell, undefined, { ref: false })])
  }
}

export async function stopMailWorker(): Promise<void> {
  const { stop } = held
  delete held.stop
  await stop?.()
}

async function workUntil(stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    // Listening before looking: who rings while it looks is heard too.
    const rung = nextRing(patience)
    await sendAll(stopping)
    await rung
  }
}

async function sendAll(stopping: AbortSignal): Promise<void> {
  try {
    while (!stopping.aborted && (await sendDueMail()) > 0);
  } catch (error) {
    if (!stopping.aborted) log().warn({ err: error }, 'mail could not be sent; trying again later')
  }
}
