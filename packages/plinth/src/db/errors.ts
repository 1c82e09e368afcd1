/** The database has not answered in time. Recognized by its code. */
export class DatabaseTimeout extends Error {
  override name = 'DatabaseTimeout'
  readonly code = 'DATABASE_TIMEOUT'

  constructor(limitMs: number) {
    super(`The database has not answered within ${Math.round(limitMs)} ms.`)
  }
}

/** The answer to a commit was lost: the change may have been saved or not. */
export class CommitUnconfirmed extends Error {
  override name = 'CommitUnconfirmed'
  readonly code = 'CONNECTION_LOST_AT_COMMIT'

  constructor(cause: unknown) {
    super('The database did not confirm the commit.', { cause })
  }
}

export function isCommitUnconfirmed(error: unknown): boolean {
  return [...chain(error)].some((link) => link instanceof CommitUnconfirmed)
}

/** The message for the user who wanted the change. */
export const commitUnconfirmed =
  'The database did not confirm the change. Check whether it was saved before you try again.'

/** An error and its causes: Drizzle wraps the errors of the driver. */
function* chain(error: unknown): Generator<Error & { code?: unknown; severity?: unknown }> {
  for (let at = error; at instanceof Error; at = at.cause) yield at
}

export function sqlState(error: unknown): string | undefined {
  for (const { code } of chain(error)) {
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return code
  }
  return undefined
}

const socketCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/**
 * Connection lost (08), out of disk, memory or connections (53), a lock or a statement that took too
 * long (55P03, 57014), shutting down or starting (57P0x), read-only (25006).
 */
const unavailableStates = /^(08...|53...|55P03|57014|57P0.|25006)$/

/** The request may succeed later. A socket error counts only if a query failed with it. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const links = [...chain(error)]
  const ofDatabase = links.some((link) => 'query' in link || link.name === 'PostgresError')
  return links.some(({ code }) => {
    if (typeof code !== 'string') return false
    if (isConnectionCode(code) || unavailableStates.test(code)) return true
    return ofDatabase && socketCodes.has(code)
  })
}

/** The connection cannot be used any more: unlike an error of one statement. */
export function isConnectionLost(error: unknown): boolean {
  return [...chain(error)].some(({ code, severity }) => {
    if (severity === 'FATAL' || severity === 'PANIC') return true
    return typeof code === 'string' && (isConnectionCode(code) || socketCodes.has(code))
  })
}

/** Its recovery is open, so no session can be created. */
export function isAccountFrozen(error: unknown): boolean {
  return sqlState(error) === 'PL004'
}

/** The server takes no writes. */
export function isReadOnly(error: unknown): boolean {
  return sqlState(error) === '25006'
}

/** `CONNECT_TIMEOUT`, `CONNECTION_CLOSED` and others are codes of postgres.js. */
function isConnectionCode(code: string): boolean {
  return code === 'DATABASE_TIMEOUT' || code.startsWith('CONNECT')
}

/** The disk or the database's space on it is full. */
export function isDiskFull(error: unknown): boolean {
  return [...chain(error)].some(
    ({ code, message }) => code === '53100' || /No space left on device|ENOSPC/.test(message),
  )
}

export function codeOf(error: unknown): string {
  return sqlState(error) ?? String((innermost(error) as { code?: unknown }).code ?? '')
}

export function reasonOf(error: unknown): string {
  const inner = innermost(error)
  // Node reports a host with several IP addresses as one error without a message.
  const { errors = [] } = inner as { errors?: readonly Error[] }
  const message = inner.message || errors.map(({ message }) => message).join(', ')
  return message.replace(/\s+/g, ' ').replace(/\.$/, '')
}

function innermost(error: unknown): Error {
  let inner = error instanceof Error ? error : new Error(String(error))
  while (inner.cause instanceof Error) inner = inner.cause
  return inner
}
