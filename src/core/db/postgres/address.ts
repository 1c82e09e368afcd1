import 'server-only'
import { isIP } from 'node:net'

/**
 * What postgres.js misreads if the host is an IP address: the brackets of IPv6, and the name that the
 * certificate must have, for which it would take localhost.
 */
export function addressOptions(url: string): Record<string, unknown> {
  const { hostname, port, searchParams } = new URL(url)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  if (!isIP(host)) return {}
  const verifies = searchParams.get('sslmode')?.startsWith('verify-')
  return {
    host: [host],
    port: [Number(port) || 5432],
    ...(verifies ? { ssl: { host } } : {}),
  }
}
