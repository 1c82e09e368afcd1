import { type DestinationStream, type Logger, pino } from 'pino'
import type { PrettyOptions } from 'pino-pretty'
import pretty from 'pino-pretty'
import { env } from '#config/env'
import { lazy } from '#config/lazy'
import { type BackgroundWork, currentRequest, currentWork } from '#log/current-request'
import { serializeError } from '#log/errors'
import { withoutSecrets } from '#log/secrets'
import { type TraceIds, tracing } from '#log/trace'

export const log = lazy((): Logger => createLogger(env().LOG_LEVEL, logDestination()))

export function createLogger(level: string, stream: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      mixin: currentFields,
      formatters: {
        level: (label) => ({ level: label }),
        log: withoutSecrets,
      },
      serializers: { err: serializeError },
    },
    stream,
  )
}

/** Every line of a request, a job or a mail names it, and in a trace those of the span. */
function currentFields(): { requestId?: string } & Partial<BackgroundWork & TraceIds> {
  const request = currentRequest()
  return {
    ...(request ? { requestId: request.requestId } : {}),
    ...currentWork(),
    ...tracing()?.current(),
  }
}

/** Logged at every level but `silent`. */
export function announce(message: string): void {
  const all = log().level === 'silent' ? log() : log().child({}, { level: 'info' })
  all.info(message)
}

/** Call it before the process exits. */
export function flushLog(): void {
  const stream = logDestination()
  stream.flushSync?.()
}

export const logDestination = lazy((): DestinationStream & { flushSync?: () => void } =>
  process.stdout.isTTY
    ? pretty(terminalOptions)
    : // Buffered: a write per line would cost more than the request it reports.
      pino.destination({ dest: 1, minLength: 4096, sync: false, periodicFlush: 50 }),
)

const terminalOptions: PrettyOptions = {
  sync: true,
  singleLine: true,
  translateTime: 'SYS:HH:MM:ss',
  ignore: 'method,route,status,milliseconds',
  messageFormat: ({ msg, method, route, status, milliseconds }) =>
    msg === 'request' ? `${method} ${route} ${status} in ${milliseconds} ms` : String(msg),
}
