import { isLoopback } from '@/core/config/setting-types'
import type { Facts } from '@/doctor/facts'
import { type Finding, reporter } from '@/doctor/finding'

const { error, warning, ok } = reporter('cors')

const manyOrigins = 10

/** Each origin acts with the session of its visitors. */
export function checkCors({ settings, published }: Facts): Finding[] {
  const { CORS_ORIGINS, AUTH_COOKIE_SAMESITE } = settings
  if (CORS_ORIGINS.length === 0) return [ok('No other origin can use the API.')]
  const local = CORS_ORIGINS.filter((origin) => isLoopback(new URL(origin).hostname))
  const insecure = CORS_ORIGINS.filter(
    (origin) => origin.startsWith('http:') && !local.includes(origin),
  )
  const findings: Finding[] = []
  if (insecure.length > 0) {
    findings.push(
      error(
        `CORS_ORIGINS contains ${insecure.join(', ')}: anyone on the network can impersonate it.`,
        'Serve it over https, or remove it.',
      ),
    )
  }
  if (published && local.length > 0) {
    findings.push(
      error(
        `CORS_ORIGINS contains ${local.join(', ')}: any program on a user's machine can impersonate it.`,
        'Remove it here, and use a separate installation for development.',
      ),
    )
  }
  if (AUTH_COOKIE_SAMESITE === 'none') {
    findings.push(
      warning(
        'AUTH_COOKIE_SAMESITE=none sends the session cookie with requests from every site.',
        'Serve the other origins on the same site instead (app.example.com, api.example.com).',
      ),
    )
  }
  if (CORS_ORIGINS.length > manyOrigins) {
    findings.push(
      warning(
        `CORS_ORIGINS contains ${CORS_ORIGINS.length} origins. A vulnerability in one affects this app.`,
        'Remove those that are not used.',
      ),
    )
  }
  return findings.length > 0 ? findings : [ok(`Allowed: ${CORS_ORIGINS.join(', ')}.`)]
}
