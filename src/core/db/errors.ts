/** An error and its causes: Drizzle wraps the errors of the driver. */
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

/** Connection lost (08), shutting down or starting (57P0x), too many connections (53300). */
const unavailableStates = /^(08...|57P0.|53300)$/

/** The request may succeed later. A socket error counts only if a query failed with it. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const links = [...(chain(error) as Iterable<Error & { code?: unknown }>)]
  const ofDatabase = links.some((link) => 'query' in link || link.name === 'PostgresError')
  return links.some(({ code }) => {
    if (typeof code !== 'string') return false
    if (code.startsWith('CONNECT') || unavailableStates.test(code)) return true
    return ofDatabase && socketCodes.has(code)
  })
}
