import 'server-only'
import { asc, eq, inArray } from 'drizzle-orm'
import type { LiveSession } from '@/core/auth/scope'
import { readSession } from '@/core/auth/sessions'
import type { Database } from '@/core/db/client'
import { sessions, users } from '@/core/db/schema'

/**
 * The session as it is now, inside the transaction that is about to change something: what was
 * true when the request began may no longer be. The people concerned are locked until it ends, in
 * one order for everybody, so that two who change each other cannot wait for one another.
 */
export async function confirmSession(
  transaction: Database,
  session: LiveSession,
  concerned: readonly string[] = [],
): Promise<LiveSession | undefined> {
  await transaction
    .select({ id: users.id })
    .from(users)
    .where(inArray(users.id, [session.user.id, ...concerned]))
    .orderBy(asc(users.id))
    .for('no key update')
  return readSession(transaction, eq(sessions.id, session.id))
}
