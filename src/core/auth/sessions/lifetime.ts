import 'server-only'
import { sessionLifetimeMs } from '@/core/config/session-lifetime'
import { databaseNow } from '@/core/db/clock'
import type { Session } from '@/core/http/scope'

const { idle, absolute } = sessionLifetimeMs

/** An extension gains at least this much: a session is written at most once a day. */
const minExtensionMs = Math.min(24 * 60 * 60 * 1000, idle / 10)

export const initialLifetimeMs = Math.min(idle, absolute)

/** The time from which an extension gains enough to be worth a write. */
export function extendableFrom(created: number, expires: number): number {
  return created + absolute - expires < minExtensionMs
    ? Number.POSITIVE_INFINITY
    : expires + minExtensionMs - idle
}

/** The expiry after an extension now, or undefined if none is due. */
export function extendedExpiry({ createdAt, expiresAt }: Session, now: number): number | undefined {
  const created = createdAt.getTime()
  if (now < extendableFrom(created, expiresAt.getTime())) return undefined
  return Math.min(now + idle, created + absolute)
}

/**
 * For a cookie. `Expires` alone is compared with the clock of the browser or, in Chromium, with the
 * `Date` of the response, and either may be wrong.
 */
export function cookieLifetime(expires: Date): { expires: Date; maxAge: number } {
  return { expires, maxAge: Math.max(1, Math.round((expires.getTime() - databaseNow()) / 1000)) }
}
