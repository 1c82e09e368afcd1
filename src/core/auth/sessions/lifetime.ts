import 'server-only'
import type { Session } from '@/core/http/scope'

const dayMs = 24 * 60 * 60 * 1000

/** A session expires 30 days after its last extension and 90 days after it was created. */
export const idleMs = 30 * dayMs
const absoluteMs = 90 * dayMs

/** The time from which an extension gains at least a day: one write a day at most. */
export function extendableFrom(created: number, expires: number): number {
  return created + absoluteMs - expires < dayMs
    ? Number.POSITIVE_INFINITY
    : expires + dayMs - idleMs
}

/** The expiry after an extension now, or undefined if none is due. */
export function extendedExpiry({ createdAt, expiresAt }: Session, now: number): number | undefined {
  const created = createdAt.getTime()
  if (now < extendableFrom(created, expiresAt.getTime())) return undefined
  return Math.min(now + idleMs, created + absoluteMs)
}
