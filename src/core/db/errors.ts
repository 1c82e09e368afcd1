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

/** Connection lost (08), being shut down or started (57P0x), all connections taken (53300). */
const unreachableStates = /^(08...|57P0.|53300)$/

/**
 * The database is away, which says nothing about the request: it may be right a moment later. A
 * socket's error counts only where a query failed by it: others have sockets too.
 */
export function isUnreachable(error: unknown): boolean {
  const links = [...(chain(error) as Iterable<Error & { code?: unknown }>)]
  const ofDatabase = links.some((link) => 'query' in link || link.name === 'PostgresError')
  return links.some(({ code }) => {
    if (typeof code !== 'string') return false
    if (code.startsWith('CONNECT') || unreachableStates.test(code)) return true
    return ofDatabase && socketCodes.has(code)
  })
}
