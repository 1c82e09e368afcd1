import { randomUUID } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { countSignIn, record } from '#audit/record'
import { reserveHash, verifyPassword } from '#auth/passwords/hash'
import { hashToken, newToken } from '#auth/sessions/cookie'
import { initialLifetimeMs, maxLiveSessions, type NewSession, toDate } from '#auth/sessions/session'
import { findPendingStep, hasSignInSteps, type PendingSignIn } from '#auth/sessions/steps'
import { runAfterCommit } from '#db/after-commit'
import { type Database, database, preparedQuery, preparedStatement } from '#db/client'
import { isAccountFrozen } from '#db/errors'
import { passwords, users } from '#db/schema'
import type { Scope, Session, SessionUser } from '#http/scope'
import { attemptPassword } from '#rate-limits/password-attempts'
import type { RateLimitResult } from '#rate-limits/rate-limit'

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

/**
 * Undefined for an unknown email, a wrong password and an unverified email alike. Throws if the account
 * is frozen, which only the right password reveals.
 */
export async function signInWithPassword(
  scope: Scope,
  { email, password }: Credentials,
): Promise<NewSession | PendingSignIn | undefined> {
  const [found] = await findByEmail(database()).execute({ email })
  const matches = await verifyPassword(found?.hash ?? undefined, password)
  const verified = found?.verifiedAt && matches ? found : undefined
  const { ip, requestId } = scope
  const event = { action: 'sign_in', targetId: found?.user.id, ip, requestId }
  try {
    const signedIn = verified && (await takeNextStep(scope, verified.user, verified.hash ?? ''))
    if (signedIn) return signedIn
  } catch (error) {
    if (isAccountFrozen(error)) await record(database(), { ...event, ...frozenDenial('password') })
    throw error
  }
  await record(database(), { ...event, outcome: 'failure' })
  return undefined
}

/** The audit event of a sign-in that would have succeeded. */
export function frozenDenial(by: string) {
  return { outcome: 'denied' as const, details: { by, reason: 'account_frozen' } }
}

/** Undefined if the password is no longer the one with this hash, or the account was deleted. */
async function takeNextStep(
  scope: Scope,
  user: SessionUser,
  hash: string,
): Promise<NewSession | PendingSignIn | undefined> {
  if (!hasSignInSteps()) return startSession(scope, user, hash)
  const pending = await database().transaction(async (transaction) =>
    (await lockPassword(transaction, user.id, hash))
      ? findPendingStep(transaction, scope, { user, by: 'password' })
      : undefined,
  )
  return pending ?? startSession(scope, user, hash)
}

async function lockPassword(transaction: Database, userId: string, hash: string): Promise<boolean> {
  const locked = await transaction
    .select({ userId: passwords.userId })
    .from(passwords)
    .where(and(eq(passwords.userId, userId), eq(passwords.hash, hash)))
    .for('share')
  return locked.length > 0
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

export type CurrentPasswordCheck =
  | 'verified'
  | 'no_password'
  | 'wrong'
  | { refused: RateLimitResult }

/**
 * A session alone does not prove that its owner is present: its token may be stolen, or the screen
 * left unlocked. A wrong password counts as a failed sign-in and is an event of `action`. The result
 * stays valid in the mutation that follows: changing the password meanwhile revokes this session,
 * and the mutation reads it again.
 */
export function verifyCurrentPassword(
  scope: Scope & { session: Session },
  action: string,
  password: string,
): Promise<CurrentPasswordCheck> {
  return reserveHash(scope, async () => {
    const { id, email } = scope.session.user
    const hash = await findHash(id)
    if (hash === undefined) return 'no_password'
    const attempt = await attemptPassword(scope, email, async () =>
      (await verifyPassword(hash, password)) ? true : undefined,
    )
    if (attempt.refused) return { refused: attempt.refused }
    if (attempt.result) return 'verified'
    await record(database(), {
      action,
      outcome: 'failure',
      actorId: id,
      targetId: id,
      ip: scope.ip,
      requestId: scope.requestId,
      details: { reason: 'wrong_password' },
    })
    return 'wrong'
  })
}

export async function hasPassword(userId: string, reader = database()): Promise<boolean> {
  return (await findHash(userId, reader)) !== undefined
}

async function findHash(userId: string, reader = database()): Promise<string | undefined> {
  const [row] = await reader
    .select({ hash: passwords.hash })
    .from(passwords)
    .where(eq(passwords.userId, userId))
  return row?.hash
}

export async function storePassword(
  transaction: Database,
  userId: string,
  hash: string,
): Promise<void> {
  const updatedAt = sql`now()`
  await transaction
    .insert(passwords)
    .values({ userId, hash, updatedAt })
    .onConflictDoUpdate({ target: passwords.userId, set: { hash, updatedAt } })
}
