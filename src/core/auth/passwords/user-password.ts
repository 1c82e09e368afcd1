import 'server-only'
import { createHash, randomUUID } from 'node:crypto'
import { dictionary } from '@zxcvbn-ts/language-common'
import { and, eq, sql } from 'drizzle-orm'
import { countSignIn, record } from '@/core/audit/record'
import { reserveHash, verifyPassword } from '@/core/auth/passwords/hash'
import { hashToken, newToken } from '@/core/auth/sessions/cookie'
import {
  initialLifetimeMs,
  maxLiveSessions,
  maxUserAgentLength,
  type NewSession,
} from '@/core/auth/sessions/session'
import { findPendingStep, hasSignInSteps, type PendingSignIn } from '@/core/auth/sessions/steps'
import { env } from '@/core/config/env'
import { productName } from '@/core/config/product-name'
import { singleton } from '@/core/config/singleton'
import { runAfterCommit } from '@/core/db/after-commit'
import { type Database, database, preparedQuery, preparedStatement } from '@/core/db/client'
import { passwords, sessions, users } from '@/core/db/schema'
import { readResponseUpTo } from '@/core/http/limited-response'
import type { Scope, Session, SessionUser } from '@/core/http/scope'
import { log } from '@/core/log/log'
import { fetchInSpan } from '@/core/log/trace'
import { attemptPassword } from '@/core/rate-limits/password-attempts'
import type { RateLimitResult } from '@/core/rate-limits/rate-limit'

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
): Promise<NewSession | PendingSignIn | undefined> {
  const [found] = await findByEmail(database()).execute({ email })
  const matches = await verifyPassword(found?.hash ?? undefined, password)
  const verified = found?.verifiedAt && matches ? found : undefined
  const signedIn = verified && (await takeNextStep(scope, verified.user, verified.hash ?? ''))
  if (signedIn) return signedIn
  const { ip, requestId } = scope
  const targetId = found?.user.id
  await record(database(), { action: 'sign_in', outcome: 'failure', targetId, ip, requestId })
  return undefined
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
    lifetimeMs: initialLifetimeMs,
    maxSessions: maxLiveSessions,
    ip,
    userAgent: userAgent?.slice(0, maxUserAgentLength) ?? null,
    requestId,
  })
  if (!row) return undefined
  countSignIn({ outcome: 'success' })
  if (row.ended > 0) await runAfterCommit()
  const createdAt = sessions.createdAt.mapFromDriverValue(row.created) as Date
  const expiresAt = sessions.expiresAt.mapFromDriverValue(row.expires) as Date
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

export async function hasPassword(userId: string): Promise<boolean> {
  return (await findHash(userId)) !== undefined
}

async function findHash(userId: string): Promise<string | undefined> {
  const [row] = await database()
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

/** Why a password of the right length is rejected, or undefined. */
export async function passwordError(password: string, email: string): Promise<string | undefined> {
  const plain = plainForm(password)
  if (plain === email || plain === email.split('@', 1)[0]) {
    return 'Your password cannot be your email.'
  }
  if (isCommon(plain) || isPattern(plain)) {
    return 'This password is too easy to guess. Try a few unrelated words.'
  }
  if (env().PASSWORD_BREACH_CHECK === 'on' && (await isBreached(password))) {
    return 'This password was found in a data breach of another site. Choose one that you use nowhere else.'
  }
  return undefined
}

/** Upper case and full-width letters do not make a password harder to guess. */
function plainForm(password: string): string {
  return password.normalize('NFKC').toLowerCase()
}

/** A common password, alone or with up to four digits and signs appended. */
function isCommon(plain: string): boolean {
  const word = plain.replace(/[\p{N}\p{P}\p{S}]{1,4}$/u, '')
  return commonPasswords().has(plain) || commonPasswords().has(word)
}

/** A repeated piece or a sequence of characters: 1212121212, abcdefghij. */
function isPattern(plain: string): boolean {
  if (/^(.{1,4})\1+$/su.test(plain)) return true
  const codes = [...plain].map((character) => character.codePointAt(0) ?? 0)
  const step = (codes[1] ?? 0) - (codes[0] ?? 0)
  return codes.every(
    (code, index) =>
      index === 0 || (code - (codes[index - 1] ?? 0) === step && Math.abs(step) <= 1),
  )
}

/** About 50,000, from the lists that attackers try first. */
function commonPasswords(): ReadonlySet<string> {
  return singleton('auth.common-passwords', () => new Set(dictionary['passwords-common']))
}

const timeoutMs = 1_000
/** Five times as much as a padded response has. */
const maxBytes = 256 * 1024

/**
 * Whether the password is in a known data breach, according to Have I Been Pwned. It gets the first
 * five characters of the SHA-1 hash, which thousands of passwords share, and pads its response, so
 * that the length tells nothing. Without a response in time the password passes: a new password must
 * not depend on another service.
 */
async function isBreached(password: string): Promise<boolean> {
  const hash = createHash('sha1').update(password).digest('hex').toUpperCase()
  const prefix = hash.slice(0, 5)
  try {
    const response = await fetchInSpan(`${env().PASSWORD_BREACH_URL}/range/${prefix}`, {
      headers: { 'add-padding': 'true', 'user-agent': productName },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (!response.ok) throw new Error(`It responded with ${response.status}.`)
    const body = await readResponseUpTo(maxBytes, response)
    return hasSuffix(body.toString(), hash.slice(5))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    log().warn({ reason }, 'the password was not checked for breaches')
    return false
  }
}

/** Each line is a suffix and a count. Padding has the count 0. */
function hasSuffix(text: string, suffix: string): boolean {
  return text.split(/\r?\n/).some((line) => {
    const [found, count] = line.split(':')
    return found === suffix && Number(count) > 0
  })
}
