/** The causes under an error, outermost first: Drizzle wraps what the driver threw. */
function* chain(error: unknown): Generator<Error> {
  for (let at = error; at instanceof Error; at = at.cause) yield at
}

export function sqlState(error: unknown): string | undefined {
  for (const { code } of chain(error) as Iterable<Error & { code?: unknown }>) {
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return code
  }
  return undefined
}

const driverCodes = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** Connection lost (08), being shut down or started (57P0x), all connections taken (53300). */
const unreachableStates = /^(08...|57P0.|53300)$/

/** The database is away, which says nothing about the request: it may be right a moment later. */
export function isUnreachable(error: unknown): boolean {
  for (const link of chain(error) as Iterable<Error & { code?: unknown }>) {
    if (typeof link.code !== 'string') continue
    if (driverCodes.has(link.code) || unreachableStates.test(link.code)) return true
  }
  return false
}
