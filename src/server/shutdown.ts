import { flushRequestLog } from '@/core/http/request-log'
import { flushLog, log } from '@/core/log/log'

/**
 * Handles SIGTERM and SIGINT from the start: process 1 of a container has no default handler. A
 * terminal and npm may both forward one Ctrl-C, so only a signal a second later exits immediately.
 */
export function onShutdown(shutDown: () => Promise<void>): void {
  let signaledAt: number | undefined

  async function handle(signal: string): Promise<void> {
    const now = performance.now()
    if (signaledAt !== undefined) {
      if (now - signaledAt > 1000) process.exit(1)
      return
    }
    signaledAt = now
    log().info(`${signal}: shutting down`)
    let code = 0
    try {
      await shutDown()
    } catch (error) {
      log().fatal({ err: error }, 'shutdown failed')
      code = 1
    }
    flushRequestLog()
    flushLog()
    process.exit(code)
  }

  process.on('SIGTERM', handle)
  process.on('SIGINT', handle)
}
