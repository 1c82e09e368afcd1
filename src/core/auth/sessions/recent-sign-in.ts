import 'server-only'
import { databaseNow } from '@/core/db/clock'
import type { Session } from '@/core/http/scope'

const defaultMinutes = 10

/** Whether the user proved who they are in the last minutes; `true` is ten. */
export function isRecentSignIn(session: Session, recentSignIn: true | number = true): boolean {
  const minutes = recentSignIn === true ? defaultMinutes : recentSignIn
  return session.authenticatedAt.getTime() > databaseNow() - minutes * 60_000
}
