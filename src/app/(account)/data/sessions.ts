import 'server-only'
import { and, desc, eq, gt, ne, sql } from 'drizzle-orm'
import { database } from '@/core/db/client'
import { sessions } from '@/core/db/schema'
import { type Refusal, refuse } from '@/core/guard/action-result'
import { change } from '@/core/guard/change'
import type { SignedInScope } from '@/core/guard/policy'
import { mayUseAccount } from '../policy'

export type OwnSession = {
  id: string
  /** It is the one that asks. */
  current: boolean
  createdAt: Date
  /** Written at most once a day. */
  lastSeenAt: Date
  expiresAt: Date
  address: string | undefined
  userAgent: string | undefined
}

/** The one that asks, then the others, the last seen first. */
export async function listSessions(scope: SignedInScope, atMost: number): Promise<OwnSession[]> {
  const own = scope.session.id
  const rows = await database()
    .select({
      id: sessions.id,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
      expiresAt: sessions.expiresAt,
      address: sessions.address,
      userAgent: sessions.userAgent,
    })
    .from(sessions)
    .where(and(eq(sessions.userId, scope.session.user.id), gt(sessions.expiresAt, sql`now()`)))
    .orderBy(desc(eq(sessions.id, own)), desc(sessions.lastSeenAt), desc(sessions.id))
    .limit(atMost)
  return rows.map(({ address, userAgent, ...row }) => ({
    ...row,
    current: row.id === own,
    address: address ?? undefined,
    userAgent: userAgent ?? undefined,
  }))
}

/** Only ever one's own: somebody else's id is one that does not exist. */
export async function endSession(
  scope: SignedInScope,
  id: string,
): Promise<{ ended: number } | Refusal> {
  const { session } = scope
  return change(
    scope,
    { name: 'end_session', who: mayUseAccount, target: id },
    async (transaction) => {
      if (id === session.id) {
        return refuse('conflict', 'This is the session that you are using. Sign out instead.')
      }
      const ended = await transaction
        .delete(sessions)
        .where(and(eq(sessions.id, id), eq(sessions.userId, session.user.id)))
        .returning({ id: sessions.id })
      return ended.length > 0
        ? { ended: ended.length }
        : refuse('conflict', 'This session has ended already.')
    },
  )
}

export async function endOtherSessions(scope: SignedInScope): Promise<{ ended: number } | Refusal> {
  const { id, user } = scope.session
  return change(
    scope,
    { name: 'end_other_sessions', who: mayUseAccount, target: user.id },
    async (transaction) => {
      const ended = await transaction
        .delete(sessions)
        .where(and(eq(sessions.userId, user.id), ne(sessions.id, id)))
        .returning({ id: sessions.id })
      return { ended: ended.length }
    },
  )
}
