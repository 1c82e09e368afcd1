import { flushRequestLog } from '@/core/http/request-log'
import { flushLog, log } from '@/core/log'

/**
 * Ends the process in order when it is asked to stop. A terminal and npm may both pass on the same
 * Ctrl-C, so only a second wish, a moment later, ends it at once.
 */
export function onStop(finish: () => Promise<void>): void {
  let askedAt: number | undefined

  async function stop(signal: string): Promise<void> {
    const now = performance.now()
    if (askedAt !== undefined) {
      if (now - askedAt > 1000) process.exit(1)
      return
    }
    askedAt = now
    log().info(`${signal}: finishing what runs`)
    try {
      await finish()
      flushRequestLog()
      flushLog()
      process.exit(0)
    } catch (error) {
      log().fatal({ err: error }, 'the stop failed')
      flushLog()
      process.exit(1)
    }
  }

  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}
