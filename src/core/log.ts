import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino'
import pretty, { type PrettyOptions } from 'pino-pretty'
import { env } from '@/core/env'
import { singleton } from '@/core/singleton'

export function log(): Logger {
  return singleton('log', () => createLogger(env().LOG_LEVEL, logDestination()))
}

export function createLogger(level: string, stream: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      formatters: { level: (label) => ({ level: label }), log: withoutSecrets },
      serializers: { err: serializeError },
    },
    stream,
  )
}

/** Writes what is still gathered in memory; call it before the process ends. */
export function flushLog(): void {
  const stream = logDestination()
  if ('flushSync' in stream) stream.flushSync()
}

export function logDestination() {
  return singleton('log.destination', () =>
    process.stdout.isTTY
      ? pretty(forPeople)
      : // One write for many lines: a write for each would cost more than the request it reports.
        pino.destination({ dest: 1, minLength: 4096, sync: false, periodicFlush: 50 }),
  )
}

const forPeople: PrettyOptions = {
  sync: true,
  singleLine: true,
  translateTime: 'SYS:HH:MM:ss',
  ignore: 'method,route,status,milliseconds',
  messageFormat: ({ msg, method, route, status, milliseconds }) =>
    msg === 'request' ? `${method} ${route} ${status} in ${milliseconds} ms` : String(msg),
}

const secretName = /password|secret|token|cookie|authorization|verifier|hash$|^(code|state)$/i

/** By name and at any depth, so that a caller who logs too much still gives nothing away. */
function withoutSecrets(fields: Record<string, unknown>): Record<string, unknown> {
  const safe: Record<string, unknown> = {}
  for (const name in fields)
    safe[name] = secretName.test(name) ? '[redacted]' : nested(fields[name])
  return safe
}

function nested(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(nested)
  const plain = Object.getPrototypeOf(value) === Object.prototype
  return plain ? withoutSecrets(value as Record<string, unknown>) : value
}

/** Drizzle puts the parameters of a failed query into its message: hashes, addresses, tokens. */
function serializeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const cause = error.cause === undefined ? {} : { cause: serializeError(error.cause) }
  if ('query' in error && 'params' in error) {
    return { type: error.name, query: error.query, ...cause }
  }
  const { type, message, stack } = stdSerializers.err(error)
  return { type, message, stack, ...('code' in error ? { code: error.code } : {}), ...cause }
}
