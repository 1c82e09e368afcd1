import 'server-only'
import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { record } from '@/core/audit/record'
import { verifyPassword } from '@/core/auth/passwords/hash'
import { hashToken, newToken } from '@/core/auth/sessions/cookie'
import {
  initialLifetimeMs,
  maxLiveSessions,
  maxUserAgentLength,
  type NewSession,
} from '@/core/auth/sessions/session'
import { database, preparedQuery, preparedStatement, runAfterCommit } from '@/core/db/client'
import { passwords, sessions, users } from '@/core/db/schema'
import type { Scope, SessionUser } from '@/core/http/scope'

export type Credentials = { email: string; password: string }

const findByEmail = preparedQuery((database) =>
  database
    .select({
      user: {
        id: users.id,
        email: users.email,
        name: users.name,
        role: users.role,
        theme: users.theme,
      },
      verifiedAt: users.emailVerifiedAt,
      hash: passwords.hash,
    })
    .from(users)
    .leftJoin(passwords, eq(passwords.userId, users.id))
    .where(eq(users.email, sql.placeholder('email')))
    .prepare('find_credentials'),
)

/** Undefined for an unknown email, a wrong password and an unverified email alike. */
export async function signInWithPassword(
  scope: Scope,
  { email, password }: Credentials,
): Promise<NewSession | undefined> {
  const [found] = await findByEmail(database()).execute({ email })
  const matches = await verifyPassword(found?.hash ?? undefined, password)
  const verified = found?.verifiedAt && matches ? found : undefined
  const created = verified && (await startSession(scope, verified.user, verified.hash ?? ''))
  if (created) return created
  const { ip, requestId } = scope
  const targetId = found?.user.id
  await record(database(), { action: 'sign_in', outcome: 'failure', targetId, ip, requestId })
  return undefined
}

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
