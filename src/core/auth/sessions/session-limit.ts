import 'server-only'
import { and, desc, eq, gt, inArray, ne, sql } from 'drizzle-orm'
import { record } from '@/core/audit/record'
import type { Database } from '@/core/db/client'
import { sessions } from '@/core/db/schema'
import type { Scope, Session } from '@/core/http/scope'

const maxLiveSessions = 50

/** After a sign-in: the least recently used sessions of the user beyond the limit end. */
export async function endExcessSessions(
  transaction: Database,
  { ip, requestId }: Scope,
  created: Session,
): Promise<void> {
  const userId = created.user.id
  await lockLimit(transaction, userId)
  const { length: count } = await transaction
    .delete(sessions)
    .where(inArray(sessions.id, excessOf(transaction, created)))
    .returning({ id: sessions.id })
    .prepare('end_excess_sessions')
    .execute()
  if (count === 0) return
  await record(transaction, {
    action: 'revoke_session',
    outcome: 'success',
    actorId: userId,
    targetId: userId,
    ip,
    requestId,
    details: { reason: 'too_many_sessions', count },
  })
}

/** Of concurrent sign-ins of one user, each sees the sessions of those before it. */
async function lockLimit(transaction: Database, userId: string): Promise<void> {
  const key = `plinth.session-limit ${userId}`
  await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
}

function excessOf(transaction: Database, { id, user }: Session) {
  const excess = transaction
    .select({ id: sessions.id })
    .from(sessions)
    .where(
      and(eq(sessions.userId, user.id), ne(sessions.id, id), gt(sessions.expiresAt, sql`now()`)),
    )
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.createdAt), desc(sessions.id))
    .offset(maxLiveSessions - 1)
  // Transactions that end several sessions lock them in different orders. A locked one is ending or
  // in use, and waiting for it could deadlock.
  return transaction
    .select({ id: sessions.id })
    .from(sessions)
    .where(inArray(sessions.id, excess))
    .for('update', { skipLocked: true })
}
