import 'server-only'
import { isIPv6 } from 'node:net'

/**
 * What rate limits count by: an IPv4 address, or the /64 prefix of an IPv6 address. One customer of
 * a provider has a whole /64 and could use a new address for each request.
 */
export function ipRange(ip: string): string {
  if (!isIPv6(ip)) return ip
  const [before = '', after] = ip.split('::')
  const head = groups(before)
  const tail = groups(after ?? '')
  const zeros = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0')
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(':')}::/64`
}

function groups(part: string): string[] {
  return part === '' ? [] : part.split(':')
}
