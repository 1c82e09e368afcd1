import { log } from '#log/log'
import { count } from '#metrics/metrics'

/**
 * One line for each error that no code has caught, with its request or job. A rejected promise is no
 * reason to stop: a page may start what it does not need in the end, and Next expects to go on. After
 * an exception the state of the process is unknown, so it shuts down in order and another takes over.
 */
export function logUncaught(shutDown: () => void): void {
  process.on('unhandledRejection', (error) => report('rejection', error))
  // Takes the place of the listeners of Next, which print the error and go on.
  process.setUncaughtExceptionCaptureCallback((error) => {
    report('exception', error)
    if (!isLostConnection(error)) shutDown()
  })
}

function report(kind: 'rejection' | 'exception', error: unknown): void {
  count('plinth_uncaught_errors_total', { kind })
  log().error({ err: error }, kind === 'rejection' ? 'unhandled rejection' : 'uncaught exception')
}

/** Says nothing about this process, and any client can cause it: it must not stop the others. */
function isLostConnection(error: Error & { code?: unknown }): boolean {
  return /^(ECONNRESET|ECONNABORTED|EPIPE|ERR_STREAM_PREMATURE_CLOSE)$/.test(String(error?.code))
}
