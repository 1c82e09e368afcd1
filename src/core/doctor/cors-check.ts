import type { Facts } from '@/core/doctor/facts'
import { type Finding, reporter } from '@/core/doctor/finding'
import { isLoopback } from '@/core/loopback'

const { error, warning, fine } = reporter('other origins')

const many = 10

/** Each of them acts with the session of whoever visits it. */
export function checkCors({ settings, published }: Facts): Finding[] {
  const { CORS_ORIGINS, AUTH_COOKIE_SAMESITE } = settings
  if (CORS_ORIGINS.length === 0) return [fine('No other origin may use the interface.')]
  const here = CORS_ORIGINS.filter((origin) => isLoopback(new URL(origin).hostname))
  const clear = CORS_ORIGINS.filter(
    (origin) => origin.startsWith('http:') && !here.includes(origin),
  )
  const findings: Finding[] = []
  if (clear.length > 0) {
    findings.push(
      error(
        `CORS_ORIGINS has ${clear.join(', ')}: whoever is on the way can be that page.`,
        'Serve it over https, or take it away.',
      ),
    )
  }
  if (published && here.length > 0) {
    findings.push(
      error(
        `CORS_ORIGINS has ${here.join(', ')}: any program on a visitor's machine can be that.`,
        'Take it away here, and develop against an installation of your own.',
      ),
    )
  }
  if (AUTH_COOKIE_SAMESITE === 'none') {
    findings.push(
      warning(
        'AUTH_COOKIE_SAMESITE=none sends the session along to every site that asks for it.',
        'Put the other origins on the same site (app.example.com, api.example.com) instead.',
      ),
    )
  }
  if (CORS_ORIGINS.length > many) {
    findings.push(
      warning(
        `CORS_ORIGINS has ${CORS_ORIGINS.length} origins, and a hole in one is a hole here.`,
        'Keep those that are used.',
      ),
    )
  }
  return findings.length > 0 ? findings : [fine(`${CORS_ORIGINS.join(', ')}, and no other.`)]
}
