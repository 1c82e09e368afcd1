import { isIPv4, isIPv6, SocketAddress } from 'node:net'
import { env } from '@/core/config/env'

/**
 * The other end of the connection, or behind TRUST_PROXY proxies the IP that the outermost of them
 * saw. Any caller can write further entries to the left of it. An entry that is no IP counts as the
 * proxy that passed it on, so that invented values do not get limits of their own.
 */
export function clientIp(remoteIp: string | undefined, forwardedFor: string | undefined): string {
  const forwarded = (forwardedFor ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const proxies = env().TRUST_PROXY
  const seen = proxies > 0 ? forwarded.at(-Math.min(proxies, forwarded.length)) : undefined
  return parseIp(seen) ?? parseIp(remoteIp) ?? 'unknown'
}

const bracketsOrPort = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/
const mappedPrefix = /^::ffff:(?=\d+\.)/i

/** One spelling for each IP: no port, brackets or zone, IPv6 in short form, IPv4-mapped as IPv4. */
function parseIp(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const [, bracketed, withPort] = bracketsOrPort.exec(text) ?? []
  const ip = (bracketed ?? withPort ?? text).replace(/%.*$/, '').replace(mappedPrefix, '')
  if (isIPv4(ip)) return ip
  if (!isIPv6(ip)) return undefined
  return new SocketAddress({ address: ip, family: 'ipv6' }).address.replace(mappedPrefix, '')
}
