import 'server-only'
import { and, eq, gt, sql } from 'drizzle-orm'
import { extendedExpiry, initialLifetimeMs } from '@/core/auth/sessions/lifetime'
import { endExcessSessions } from '@/core/auth/sessions/session-limit'
import { hashToken, newToken } from '@/core/auth/sessions/token'
import { type Database, database } from '@/core/db/client'
import { databaseNow, fromNow } from '@/core/db/clock'
import { sessions } from '@/core/db/schema'
import type { Scope, Session, SessionUser } from '@/core/http/scope'

type Device = Pick<Scope, 'ip' | 'userAgent'>

/** How the user proved who they are, and when; now by default. */
export type Authentication = { by: string; at?: Date }

export const maxUserAgentLength = 512

export type NewSession = { token: string; session: Session }

export async function createSession(
  transaction: Database,
  user: SessionUser,
  device: Device,
  { by, at }: Authentication,
): Promise<NewSession> {
  const token = newToken()
  const [row] = await transaction
    .insert(sessions)
    .values({
      tokenHash: hashToken(token),
      userId: user.id,
      expiresAt: fromNow(initialLifetimeMs),
      authenticatedBy: by,
      ...(at ? { authenticatedAt: at } : {}),
      ip: device.ip,
      userAgent: device.userAgent?.slice(0, maxUserAgentLength) ?? null,
    })
    .returning({
      id: sessions.id,
      createdAt: sessions.createdAt,
      expiresAt: sessions.expiresAt,
      authenticatedAt: sessions.authenticatedAt,
      authenticatedBy: sessions.authenticatedBy,
    })
    .prepare('create_session')
    .execute()
  if (!row) throw new Error('The session was not stored.')
  return { token, session: { ...row, user } }
}

/**
 * Every sign-in creates a new token and ends the session of this browser, and the least recently
 * used sessions of a user who has too many.
 */
export async function replaceSession(
  transaction: Database,
  scope: Scope,
  user: SessionUser,
  authentication: Authentication,
): Promise<NewSession> {
  if (scope.session) await revokeSession(transaction, scope.session.id)
  const created = await createSession(transaction, user, scope, authentication)
  await endExcessSessions(transaction, scope, created.session)
  return created
}

export async function revokeSession(transaction: Database, id: string): Promise<void> {
  await transaction.delete(sessions).where(eq(sessions.id, id))
}

/** Returns how many it revoked. */
export async function revokeUserSessions(transaction: Database, userId: string): Promise<number> {
  const revoked = await transaction
    .delete(sessions)
    .where(eq(sessions.userId, userId))
    .returning({ id: sessions.id })
  return revoked.length
}

/** Undefined if no extension is due or the session has ended. */
export async function extendSession(session: Session): Promise<Session | undefined> {
  const expiry = extendedExpiry(session, databaseNow())
  if (expiry === undefined) return undefined
  const [row] = await database()
    .update(sessions)
    .set({ expiresAt: new Date(expiry), lastSeenAt: sql`now()` })
    .where(and(eq(sessions.id, session.id), gt(sessions.expiresAt, sql`now()`)))
    .returning({ expiresAt: sessions.expiresAt })
  return row && { ...session, expiresAt: row.expiresAt }
}

export async function deleteExpiredSessions(max = 500): Promise<number> {
  const expired = sql`(select id from sessions where expires_at < now() limit ${max})`
  const deleted = await database()
    .delete(sessions)
    .where(sql`${sessions.id} in ${expired}`)
    .returning({ id: sessions.id })
  return deleted.length
}
