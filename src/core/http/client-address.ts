import { env } from '@/core/env'

/**
 * Who asks: the other end of the connection, or behind TRUST_PROXY proxies the address that the
 * outermost of them saw. What stands further left in the header, anybody can write there.
 */
export function clientAddress(
  direct: string | undefined,
  forwardedFor: string | undefined,
): string {
  const forwarded = (forwardedFor ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const proxies = env().TRUST_PROXY
  const seen = proxies > 0 ? forwarded.at(-Math.min(proxies, forwarded.length)) : undefined
  return (seen ?? direct ?? 'unknown').replace(/^::ffff:/, '').slice(0, 64)
}
