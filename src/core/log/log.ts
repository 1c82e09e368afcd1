import { type DestinationStream, type Logger, pino } from 'pino'
import pretty, { type PrettyOptions } from 'pino-pretty'
import { env } from '@/core/config/env'
import { singleton } from '@/core/config/singleton'
import { currentRequest } from '@/core/log/current-request'
import { serializeError } from '@/core/log/serialize-error'

export function log(): Logger {
  return singleton('log', () => createLogger(env().LOG_LEVEL, logDestination()))
}

export function createLogger(level: string, stream: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      mixin: requestFields,
      formatters: {
        level: (label) => ({ level: label }),
        log: withoutSecrets,
      },
      serializers: { err: serializeError },
    },
    stream,
  )
}

/** Every line that is logged for a request has its id. */
function requestFields(): { requestId?: string } {
  const request = currentRequest()
  return request ? { requestId: request.requestId } : {}
}

/** Logged at every level but `silent`. */
export function announce(message: string): void {
  const all = log().level === 'silent' ? log() : log().child({}, { level: 'info' })
  all.info(message)
}

/** Call it before the process exits. */
export function flushLog(): void {
  const stream = logDestination()
  if ('flushSync' in stream) stream.flushSync()
}

export function logDestination() {
  return singleton('log.destination', () =>
    process.stdout.isTTY
      ? pretty(terminalOptions)
      : // Buffered: a write per line would cost more than the request it reports.
        pino.destination({ dest: 1, minLength: 4096, sync: false, periodicFlush: 50 }),
  )
}

const terminalOptions: PrettyOptions = {
  sync: true,
  singleLine: true,
  translateTime: 'SYS:HH:MM:ss',
  ignore: 'method,route,status,milliseconds',
  messageFormat: ({ msg, method, route, status, milliseconds }) =>
    msg === 'request' ? `${method} ${route} ${status} in ${milliseconds} ms` : String(msg),
}

const secretName =
  /pass(word|wd|phrase)|^pwd$|secret|token|cookie|authorization|credential|api.?key|^otp$|verifier|hash$|_url$|^(code|state)$/i

/** By name and at any depth, so that a careless log call leaks nothing. */
function withoutSecrets(fields: Record<string, unknown>): Record<string, unknown> {
  return redact(fields, new Set()) as Record<string, unknown>
}

function redact(value: unknown, ancestors: Set<object>): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Error || 'toJSON' in value) return value
  if (ancestors.has(value)) return '[circular]'
  ancestors.add(value)
  const copy = Array.isArray(value)
    ? value.map((item) => redact(item, ancestors))
    : Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [
          name,
          secretName.test(name) ? '[redacted]' : redact(inner, ancestors),
        ]),
      )
  ancestors.delete(value)
  return copy
}
