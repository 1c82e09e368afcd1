import 'server-only'
import { setTimeout as pause } from 'node:timers/promises'
import { sweepLinks } from '@/core/auth/links'
import { sweepSessions } from '@/core/auth/sessions'
import { foldUserCounts } from '@/core/auth/user-counts'
import { log } from '@/core/log'

const every = 10 * 60 * 1000
const step = 500

/** In the background and in small steps: nobody should notice, and nothing may depend on it. */
export function sweepNowAndThen(): void {
  setInterval(sweep, every).unref()
}

async function sweep(): Promise<void> {
  try {
    for (const sweepSome of [sweepSessions, sweepLinks]) {
      while ((await sweepSome(step)) === step) await pause(100, undefined, { ref: false })
    }
    await foldUserCounts()
  } catch (error) {
    log().warn({ err: error }, 'what has ended could not be swept; trying again later')
  }
}
