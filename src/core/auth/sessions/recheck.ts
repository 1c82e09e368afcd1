import 'server-only'
import { asc, inArray } from 'drizzle-orm'
import { readSessionById } from '@/core/auth/sessions/read'
import type { Database } from '@/core/db/client'
import { users } from '@/core/db/schema'
import type { Session } from '@/core/http/scope'

/**
 * Reads the session again inside the transaction that is about to change data. The users involved
 * are locked in one order, so that two users who change each other do not deadlock.
 */
export async function recheckSession(
  transaction: Database,
  session: Session,
  otherUserIds: readonly string[] = [],
): Promise<Session | undefined> {
  await transaction
    .select({ id: users.id })
    .from(users)
    .where(inArray(users.id, [session.user.id, ...otherUserIds]))
    .orderBy(asc(users.id))
    .for('no key update')
  return readSessionById(transaction, session.id)
}
