import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { countSignIn } from '#audit/record'
import { hashToken, newToken } from '#auth/sessions/cookie'
import { initialLifetimeMs, maxLiveSessions, type NewSession, toDate } from '#auth/sessions/session'
import { runAfterCommit } from '#db/after-commit'
import { database, preparedStatement } from '#db/client'
import type { Scope, SessionUser } from '#http/scope'

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
    lifetimeMs: initialLifetimeMs(),
    maxSessions: maxLiveSessions,
    ip,
    userAgent: userAgent ?? null,
    requestId,
  })
  if (!row) return undefined
  countSignIn({ outcome: 'success' })
  if (row.ended > 0) await runAfterCommit()
  const [createdAt, expiresAt] = [toDate(row.created), toDate(row.expires)]
  const authentication = { authenticatedAt: createdAt, authenticatedBy: 'password' }
  return { token, session: { id, user, createdAt, expiresAt, ...authentication } }
}
