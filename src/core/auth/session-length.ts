import 'server-only'
import type { LiveSession } from '@/core/auth/scope'

const day = 24 * 60 * 60 * 1000

/** Ends thirty days after it was last extended, and ninety after it began. */
export const idle = 30 * day
const absolute = 90 * day

/** From when on it can be made to end a day later at least: it is written once a day at most. */
export function extendableFrom(created: number, expires: number): number {
  return created + absolute - expires < day ? Number.POSITIVE_INFINITY : expires + day - idle
}

/** When it ends if it is extended now, undefined if that is not to be done. */
export function laterEnd({ createdAt, expiresAt }: LiveSession, now: number): number | undefined {
  const created = createdAt.getTime()
  if (now < extendableFrom(created, expiresAt.getTime())) return undefined
  return Math.min(now + idle, created + absolute)
}
