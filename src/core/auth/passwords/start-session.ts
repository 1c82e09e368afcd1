import 'server-only'
import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { initialLifetimeMs } from '@/core/auth/sessions/lifetime'
import { maxUserAgentLength, type NewSession } from '@/core/auth/sessions/session'
import { maxLiveSessions } from '@/core/auth/sessions/session-limit'
import { hashToken, newToken } from '@/core/auth/sessions/token'
import { database, preparedStatement, runAfterCommit } from '@/core/db/client'
import { sessions } from '@/core/db/schema'
import type { Scope, SessionUser } from '@/core/http/scope'

type Row = { created: string; expires: string; ended: number }

/** One statement, because a round trip to the database takes longer than to insert a session. */
const startPasswordSession = preparedStatement<Row>(
  'start_password_session',
  sql`select created, expires, ended from start_password_session(
    ${sql.placeholder('userId')}, ${sql.placeholder('hash')}, ${sql.placeholder('replaced')},
    ${sql.placeholder('id')}, ${sql.placeholder('tokenHash')}, ${sql.placeholder('lifetimeMs')},
    ${sql.placeholder('maxSessions')}, ${sql.placeholder('ip')}, ${sql.placeholder('userAgent')},
    ${sql.placeholder('requestId')}
  )`,
)

/**
 * As `replaceSession`, with its audit event. Undefined if the password is no longer the one with this
 * hash, or the account was deleted.
 */
export async function startSession(
  { session: replaced, ip, userAgent, requestId }: Scope,
  user: SessionUser,
  hash: string,
): Promise<NewSession | undefined> {
  const id = randomUUID()
  const token = newToken()
  const [row] = await startPasswordSession(database(), {
    userId: user.id,
    hash,
    replaced: replaced?.id ?? null,
    id,
    tokenHash: hashToken(token),
    lifetimeMs: initialLifetimeMs,
    maxSessions: maxLiveSessions,
    ip,
    userAgent: userAgent?.slice(0, maxUserAgentLength) ?? null,
    requestId,
  })
  if (!row) return undefined
  if (row.ended > 0) await runAfterCommit()
  const createdAt = sessions.createdAt.mapFromDriverValue(row.created) as Date
  const expiresAt = sessions.expiresAt.mapFromDriverValue(row.expires) as Date
  const authentication = { authenticatedAt: createdAt, authenticatedBy: 'password' }
  return { token, session: { id, user, createdAt, expiresAt, ...authentication } }
}
