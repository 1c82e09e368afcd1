import { AsyncLocalStorage } from 'node:async_hooks'
import { performance } from 'node:perf_hooks'
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino'
import type { PrettyOptions } from 'pino-pretty'
import pretty from 'pino-pretty'
import { env } from '#config/env'
import { lazy } from '#config/lazy'
import { withSourcePositions } from '#log/source-positions'
import { type RequestSpan, type RequestStart, type TraceIds, tracing } from '#log/trace'

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
    ...work.getStore(),
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

/**
 * `sqlState`, `code` and `message` of the database are at the top, however deep in the causes they
 * are, so that one search finds them. Drizzle's own message contains the parameters of a failed
 * query: hashes, emails, tokens.
 */
function serializeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  return { ...serialize(error, 0), ...codesOf(error) }
}

function serialize(error: unknown, depth: number): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const nested = error.cause !== undefined && depth < maxDepth
  const cause = nested ? { cause: serialize(error.cause, depth + 1) } : {}
  if (isQueryError(error)) {
    return { type: error.name, message: errorMessage(error.cause), query: error.query, ...cause }
  }
  const { type, stack } = stdSerializers.err(error)
  const code = 'code' in error ? { code: error.code } : {}
  const where = stack === undefined ? {} : { stack: withSourcePositions(stack) }
  return { type, message: errorMessage(error), ...where, ...code, ...cause }
}

const maxDepth = 5

/** Drizzle's, which wraps that of the driver. An error of PGlite has these fields too. */
function isQueryError(error: Error): error is Error & { query: unknown } {
  return 'query' in error && 'params' in error && error.cause !== undefined
}

/**
 * Without the parameters of a failed query. A host with several IP addresses fails with one error for
 * each and no message of its own.
 */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (isQueryError(error)) return errorMessage(error.cause)
  if (error.message !== '' || !('errors' in error)) return error.message
  return [error.errors].flat().map(errorMessage).join('; ')
}

function codesOf(error: Error): { code?: string; sqlState?: string } {
  let link: unknown = error
  for (let depth = 0; link instanceof Error && depth <= maxDepth; depth += 1) {
    const { code } = link as { code?: unknown }
    if (typeof code === 'string') return isSqlState(code) ? { code, sqlState: code } : { code }
    link = link.cause
  }
  return {}
}

/** Five capitals and digits, with at least one digit: `EPIPE` is none. */
function isSqlState(code: string): boolean {
  return /^(?=.*\d)[0-9A-Z]{5}$/.test(code)
}

/** The request that the current code works for. */
export type CurrentRequest = {
  requestId: string
  method: string
  /** Without the query, which may hold a token. */
  path: string
  /** Of the caller, for its trace. */
  header?: RequestStart['header']
  /** While traces are exported. */
  span?: RequestSpan | undefined
  /** A statement failed because the database is unavailable. */
  databaseUnavailable?: boolean
  /** A server action responds with it, so that proxies and clients see the failure. */
  actionStatus?: number
}

type OpenRequest = CurrentRequest & { start: number; reported: boolean }

const storage = new AsyncLocalStorage<CurrentRequest>()

const open = new Set<OpenRequest>()

export async function runInRequest<Result>(
  request: CurrentRequest,
  work: () => Promise<Result>,
): Promise<Result> {
  const span = tracing()?.startRequest(request)
  if (span) request.span = span
  const close = openRequest(request)
  try {
    return await storage.run(request, span ? () => span.run(work) : work)
  } finally {
    close()
  }
}

/** The one place where a request begins to be open. Returns how to close it. */
export function openRequest({ requestId, method, path, span }: CurrentRequest): () => void {
  const opened = { requestId, method, path, span, start: performance.now(), reported: false }
  open.add(opened)
  return () => open.delete(opened)
}

/** For what a request or a job starts and does not wait for. */
export function runOutsideRequest<Result>(run: () => Result): Result {
  const current = tracing()
  return storage.exit(() => work.exit(current ? () => current.runOutside(run) : run))
}

/** What the process does without a request, as the fields of its lines. */
export type BackgroundWork =
  | { job: { id: number; name: string; attempt: number } }
  | { mailId: number; purpose: string }

const work = new AsyncLocalStorage<BackgroundWork>()

/** Also lines of promises that the work does not wait for name it. */
export function runAsWork<Result>(fields: BackgroundWork, run: () => Result): Result {
  return work.run(fields, run)
}

/** Undefined at startup and in the background. */
export function currentRequest(): CurrentRequest | undefined {
  return storage.getStore()
}

/** Oldest first. Those that the fast path answers without waiting are not among them. */
export function openRequests(): ReadonlySet<OpenRequest> {
  return open
}
