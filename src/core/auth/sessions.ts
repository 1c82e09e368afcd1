import 'server-only'
import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import { lookUp, recall } from '@/core/auth/authority/authority'
import type { LiveSession } from '@/core/auth/scope'
import { idle, laterEnd } from '@/core/auth/session-length'
import { hashToken, keyOf, newToken } from '@/core/auth/token'
import { type Database, database } from '@/core/db/client'
import { sessions, users } from '@/core/db/schema'

type Device = { address: string; userAgent: string | undefined }

export type NewSession = { token: string; session: LiveSession }

export async function createSession(
  transaction: Database,
  user: LiveSession['user'],
  device: Device,
): Promise<NewSession> {
  const token = newToken()
  const [row] = await transaction
    .insert(sessions)
    .values({
      tokenHash: hashToken(token),
      userId: user.id,
      expiresAt: new Date(Date.now() + idle),
      address: device.address,
      userAgent: device.userAgent?.slice(0, 512) ?? null,
    })
    .returning({ id: sessions.id, createdAt: sessions.createdAt, expiresAt: sessions.expiresAt })
  if (!row) throw new Error('A session was not stored.')
  return { token, session: { ...row, user } }
}

export async function findSession(token: string): Promise<LiveSession | undefined> {
  const key = keyOf(token)
  return (recall(key, performance.now()) ?? (await lookUp(key)))?.session
}

/** Role and existence are read together with the session, so that a change is seen at once. */
export async function readSession(from: Database, which: SQL): Promise<LiveSession | undefined> {
  const [row] = await from
    .select({
      id: sessions.id,
      createdAt: sessions.createdAt,
      expiresAt: sessions.expiresAt,
      user: { id: users.id, email: users.email, name: users.name, role: users.role },
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(which, gt(sessions.expiresAt, sql`now()`)))
  return row
}

export async function endSession(transaction: Database, id: string): Promise<void> {
  await transaction.delete(sessions).where(eq(sessions.id, id))
}

/** On every device. */
export async function endSessionsOf(transaction: Database, userId: string): Promise<void> {
  await transaction.delete(sessions).where(eq(sessions.userId, userId))
}

/** At most one write a day. Undefined when there is nothing to extend, or nothing left to. */
export async function extendSession(session: LiveSession): Promise<LiveSession | undefined> {
  const now = Date.now()
  const wanted = laterEnd(session, now)
  if (wanted === undefined) return undefined
  const [row] = await database()
    .update(sessions)
    .set({ expiresAt: new Date(wanted), lastSeenAt: new Date(now) })
    .where(and(eq(sessions.id, session.id), gt(sessions.expiresAt, sql`now()`)))
    .returning({ expiresAt: sessions.expiresAt })
  return row && { ...session, expiresAt: row.expiresAt }
}

/** Removes a few that have ended; called again and again in the background. */
export async function sweepSessions(atMost = 500): Promise<number> {
  const ended = sql`(select id from sessions where expires_at < now() limit ${atMost})`
  const removed = await database()
    .delete(sessions)
    .where(sql`${sessions.id} in ${ended}`)
    .returning({ id: sessions.id })
  return removed.length
}
