import type { Facts } from '@/doctor/facts'
import { type Finding, reporter } from '@/doctor/finding'

const { error, warning, ok } = reporter('url')

export function checkUrl({ settings, hasUrl, published }: Facts): Finding[] {
  const { AUTH_URL, embedded, TRUST_PROXY } = settings
  if (!hasUrl && !embedded) {
    return [
      error(
        `AUTH_URL is not set, so links in mail lead to ${AUTH_URL}.`,
        'Set it to the public URL, such as https://app.example.com.',
      ),
    ]
  }
  const https = AUTH_URL.startsWith('https:')
  if (published && !https) {
    return [
      error(
        `${AUTH_URL} is not https, so passwords and cookies are sent in clear text.`,
        'Put an https proxy in front, and set AUTH_URL to its URL.',
      ),
    ]
  }
  // The process speaks http only, so a proxy must terminate https.
  if (https && TRUST_PROXY === 0) {
    return [
      ok(`The public URL is ${AUTH_URL}.`),
      warning(
        'TRUST_PROXY is not set, so all users share the IP of the https proxy.',
        'Set TRUST_PROXY to the number of proxies. Otherwise one user can rate-limit all others.',
      ),
    ]
  }
  return [ok(`The public URL is ${AUTH_URL}.`)]
}
