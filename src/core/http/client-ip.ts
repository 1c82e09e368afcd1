import { env } from '@/core/config/env'

/**
 * The other end of the connection, or behind TRUST_PROXY proxies the IP that the outermost of them
 * saw. Any caller can write further entries to the left of it.
 */
export function clientIp(remoteIp: string | undefined, forwardedFor: string | undefined): string {
  const forwarded = (forwardedFor ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const proxies = env().TRUST_PROXY
  const seen = proxies > 0 ? forwarded.at(-Math.min(proxies, forwarded.length)) : undefined
  return (seen ?? remoteIp ?? 'unknown').replace(/^::ffff:/, '').slice(0, 64)
}
