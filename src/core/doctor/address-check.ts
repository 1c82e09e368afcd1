import type { Facts } from '@/core/doctor/facts'
import { type Finding, reporter } from '@/core/doctor/finding'

const { error, warning, fine } = reporter('address')

export function checkAddress({ settings, hasAddress, published }: Facts): Finding[] {
  const { AUTH_URL, embedded, TRUST_PROXY } = settings
  if (!hasAddress && !embedded) {
    return [
      error(
        `AUTH_URL is not set: links in mail lead to ${AUTH_URL}.`,
        'Set it to the address people type, such as https://app.example.com.',
      ),
    ]
  }
  const https = AUTH_URL.startsWith('https:')
  if (published && !https) {
    return [
      error(
        `${AUTH_URL} is not https: passwords and cookies can be read on the way.`,
        'Put a proxy that speaks https in front, and set AUTH_URL to its address.',
      ),
    ]
  }
  // The process speaks http alone, so whoever speaks https stands in front of it.
  if (https && TRUST_PROXY === 0) {
    return [
      fine(`People use ${AUTH_URL}.`),
      warning(
        'TRUST_PROXY is not set, but https comes from a proxy: everybody has its address.',
        'Set TRUST_PROXY to how many proxies stand in front, or limits hit all at once.',
      ),
    ]
  }
  return [fine(`People use ${AUTH_URL}.`)]
}
