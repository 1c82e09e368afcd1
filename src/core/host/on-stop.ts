import { flushRequestLog } from '@/core/http/request-log'
import { flushLog, log } from '@/core/log'

/**
 * Ends the process in order when it is asked to stop, from the first moment on: as the first
 * process of a container it would otherwise not even hear it. A terminal and npm may both pass on
 * the same Ctrl-C, so only a second wish, a moment later, ends it at once.
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
    let code = 0
    try {
      await finish()
    } catch (error) {
      log().fatal({ err: error }, 'the stop failed')
      code = 1
    }
    flushRequestLog()
    flushLog()
    process.exit(code)
  }

  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}
