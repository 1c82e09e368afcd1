import { randomUUID } from 'node:crypto'
import { and, eq, gt, ne, sql } from 'drizzle-orm'
import { record } from '#audit/record'
import { hashToken, newToken } from '#auth/sessions/cookie'
import { announceRevocation } from '#auth/sessions/revocation'
import { appConfig } from '#config/app-config'
import { type Database, database, preparedStatement } from '#db/client'
import { databaseNow } from '#db/clock'
import { sessions } from '#db/schema'
import type { Scope, Session, SessionUser } from '#http/scope'

type Device = Pick<Scope, 'ip' | 'userAgent'>

/** How the user proved who they are, and when; now by default. */
export type Authentication = { by: string; at?: Date }

export const maxUserAgentLength = 512

export type NewSession = {
  token: string
  session: Session
  /** The device cookie that the browser gets, if it was chosen before. */
  device?: string
}

export async function createSession(
  transaction: Database,
  user: SessionUser,
  device: Device,
  { by, at }: Authentication,
): Promise<NewSession> {
  const [id, token] = [randomUUID(), newToken()]
  const [row] = await insertSession(transaction, {
    userId: user.id,
    id,
    tokenHash: hashToken(token),
    lifetimeMs: initialLifetimeMs(),
    by,
    at: at?.toISOString() ?? null,
    ip: device.ip,
    userAgent: device.userAgent ?? null,
  })
  if (!row) throw new Error('The session was not stored.')
  const times = {
    createdAt: toDate(row.created),
    expiresAt: toDate(row.expires),
    authenticatedAt: toDate(row.authenticated),
  }
  return { token, session: { id, user, ...times, authenticatedBy: by } }
}

type Row = { created: string; expires: string; authenticated: string }

/** The function of the database also creates the sessions of passwords: start_password_session. */
const insertSession = preparedStatement<Row>(
  'create_session',
  sql`select created, expires, authenticated from create_session(
    ${sql.placeholder('userId')}, ${sql.placeholder('id')}, ${sql.placeholder('tokenHash')},
    ${sql.placeholder('lifetimeMs')}, ${sql.placeholder('by')}, ${sql.placeholder('at')},
    ${sql.placeholder('ip')}, ${sql.placeholder('userAgent')}
  )`,
)

/** As the driver returns it. */
export function toDate(timestamp: string): Date {
  return sessions.createdAt.mapFromDriverValue(timestamp) as Date
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

async function revokeSession(transaction: Database, id: string): Promise<void> {
  await transaction.delete(sessions).where(eq(sessions.id, id))
}

/** Revokes all but `kept`, and ends what modules keep of them. Returns how many sessions there were. */
export async function revokeUserSessions(
  transaction: Database,
  userId: string,
  kept?: string,
): Promise<number> {
  const isOther = kept === undefined ? undefined : ne(sessions.id, kept)
  const revoked = await transaction
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), isOther))
    .returning({ id: sessions.id })
  await announceRevocation(transaction, userId)
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

export const maxLiveSessions = 50

const endExcess = preparedStatement(
  'end_excess_sessions',
  sql`select end_excess_sessions(
    ${sql.placeholder('userId')}, ${sql.placeholder('sessionId')}, ${sql.placeholder('max')},
    ${sql.placeholder('ip')}, ${sql.placeholder('requestId')}
  )`,
)

/** After a sign-in: the least recently used sessions of the user beyond the limit end. */
async function endExcessSessions(
  transaction: Database,
  { ip, requestId }: Scope,
  { id: sessionId, user }: Session,
): Promise<void> {
  const max = maxLiveSessions
  await endExcess(transaction, { userId: user.id, sessionId, max, ip, requestId })
}

/** An extension gains at least this much: a session is written at most once a day. */
function minExtensionMs(): number {
  return Math.min(24 * 60 * 60 * 1000, appConfig().sessions.idle / 10)
}

export function initialLifetimeMs(): number {
  const { idle, absolute } = appConfig().sessions
  return Math.min(idle, absolute)
}

/** The time from which an extension gains enough to be worth a write. */
export function extendableFrom(created: number, expires: number): number {
  const { idle, absolute } = appConfig().sessions
  const gained = minExtensionMs()
  return created + absolute - expires < gained ? Number.POSITIVE_INFINITY : expires + gained - idle
}

/** The expiry after an extension now, or undefined if none is due. */
export function extendedExpiry({ createdAt, expiresAt }: Session, now: number): number | undefined {
  const created = createdAt.getTime()
  if (now < extendableFrom(created, expiresAt.getTime())) return undefined
  const { idle, absolute } = appConfig().sessions
  return Math.min(now + idle, created + absolute)
}

/**
 * For a cookie. `Expires` alone is compared with the clock of the browser or, in Chromium, with the
 * `Date` of the response, and either may be wrong.
 */
export function cookieLifetime(expires: Date): { expires: Date; maxAge: number } {
  return { expires, maxAge: Math.max(1, Math.round((expires.getTime() - databaseNow()) / 1000)) }
}

export async function signOut({ session, ip, requestId }: Scope): Promise<void> {
  if (!session) return
  await database().transaction(async (transaction) => {
    await revokeSession(transaction, session.id)
    await record(transaction, {
      action: 'sign_out',
      outcome: 'success',
      actorId: session.user.id,
      targetId: session.user.id,
      ip,
      requestId,
    })
  })
}
