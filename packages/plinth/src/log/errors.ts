import { stdSerializers } from 'pino'
import { withSourcePositions } from '#log/source-positions'

/**
 * `sqlState`, `code` and `message` of the database are at the top, however deep in the causes they
 * are, so that one search finds them. Drizzle's own message contains the parameters of a failed
 * query: hashes, emails, tokens.
 */
export function serializeError(error: unknown): object {
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
