import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import { sweepSessions } from '@/core/auth/sessions'
import { log } from '@/core/log'

const every = 10 * 60 * 1000
const step = 500

/** In the background and in small steps: nobody should notice, and nothing may depend on it. */
export function sweepNowAndThen(): void {
  setInterval(sweep, every).unref()
}

async function sweep(): Promise<void> {
  try {
    while ((await sweepSessions(step)) === step) await pause(100, undefined, { ref: false })
  } catch (error) {
    log().warn({ err: error }, 'sessions that have ended could not be swept; trying again later')
  }
}
