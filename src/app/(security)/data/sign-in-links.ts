import 'server-only'
import { randomBytes } from 'node:crypto'
import { and, eq, gt, isNotNull, lt, sql } from 'drizzle-orm'
import { record } from 'plinth/audit/record'
import { hashCode, isCode, newCode } from 'plinth/auth/accounts/mail-codes'
import { hashToken, isToken, newToken } from 'plinth/auth/sessions/cookie'
import { type NewSession, replaceSession } from 'plinth/auth/sessions/session'
import { findPendingStep, type PendingSignIn } from 'plinth/auth/sessions/steps'
import { type Database, database, rowsOf } from 'plinth/db/client'
import { fromNow } from 'plinth/db/clock'
import { users } from 'plinth/db/schema'
import type { Scope, SessionUser } from 'plinth/http/scope'
import { signInLinks } from '../schema'
import { recordSignIn } from './factors/complete-sign-in'

export const linkMinutes = 10

const maxTries = 5

type NewLink = { token: string; code: string; isStored: boolean }

/**
 * Replaces an earlier link of the user. Nothing is stored without an account that has verified the
 * email; the statement is the same, so that the work does not reveal it.
 */
export async function createSignInLink(email: string, browserHash: Buffer): Promise<NewLink> {
  const token = newToken()
  const code = newCode()
  const values = {
    token: sql.param(hashToken(token), signInLinks.tokenHash),
    browser: sql.param(browserHash, signInLinks.browserHash),
    code: sql.param(hashCode(code, browserHash), signInLinks.codeHash),
  }
  const stored = await database().execute(sql`
    insert into sign_in_links (user_id, email, token_hash, browser_hash, code_hash, expires_at)
    select id, email, ${values.token}::bytea, ${values.browser}::bytea, ${values.code}::bytea,
      ${fromNow(linkMinutes * 60_000)}
    from users where email = ${email} and email_verified_at is not null
    on conflict (user_id) do update set
      email = excluded.email, token_hash = excluded.token_hash,
      browser_hash = excluded.browser_hash, code_hash = excluded.code_hash,
      tries = 0, created_at = now(), expires_at = excluded.expires_at
    returning 1`)
  return { token, code, isStored: rowsOf(stored).length > 0 }
}

/** The email it was sent to. Does not use up the link: mail scanners open every link. */
export async function findSignInLink(token: string | undefined): Promise<string | undefined> {
  return isToken(token) ? (await findByToken(token))?.email : undefined
}

export type SignedIn = NewSession | PendingSignIn

/** Undefined if the link was used, has expired or was replaced. */
export async function signInWithToken(scope: Scope, token: string): Promise<SignedIn | undefined> {
  const link = isToken(token) ? await findByToken(token) : undefined
  return finishWith(scope, link, 'link')
}

type Attempt = { secret: string; code: string }

/**
 * Undefined for a wrong code, one that no longer works, and an email without an account alike. The
 * secret is that of the browser that asked: a code that is read over a shoulder works nowhere else.
 */
export async function signInWithCode(
  scope: Scope,
  { secret, code }: Attempt,
): Promise<SignedIn | undefined> {
  const browserHash = hashToken(secret)
  const link = await database().transaction(async (transaction) => {
    const tried = await tryCode(transaction, browserHash)
    if (isCode(code, browserHash, tried?.codeHash ?? randomBytes(32))) return tried
    // In the same transaction: without an account, too, there is one commit.
    await recordFailure(transaction, scope, tried?.userId, tried ? 'wrong_code' : 'expired')
    return undefined
  })
  return link && finishWith(scope, link, 'code')
}

type Link = { userId: string; email: string; tokenHash: Buffer }

async function findByToken(token: string): Promise<Link | undefined> {
  const [link] = await database()
    .select(columns)
    .from(signInLinks)
    .innerJoin(users, and(eq(users.id, signInLinks.userId), eq(users.email, signInLinks.email)))
    .where(and(eq(signInLinks.tokenHash, hashToken(token)), isLive()))
  return link
}

/** Counts a try. */
async function tryCode(transaction: Database, browserHash: Buffer) {
  const [tried] = await transaction
    .update(signInLinks)
    .set({ tries: sql`${signInLinks.tries} + 1` })
    .where(and(eq(signInLinks.browserHash, browserHash), isLive(), lt(signInLinks.tries, maxTries)))
    .returning({ ...columns, codeHash: signInLinks.codeHash })
  return tried
}

const columns = {
  userId: signInLinks.userId,
  email: signInLinks.email,
  tokenHash: signInLinks.tokenHash,
}

/** Link and code are one row: whichever is used first deletes it. */
function finishWith(
  scope: Scope,
  link: Link | undefined,
  using: 'link' | 'code',
): Promise<SignedIn | undefined> {
  return database().transaction(async (transaction) => {
    const user = link && (await lockUser(transaction, link))
    if (!link || !user || !(await consume(transaction, link))) {
      await recordFailure(transaction, scope, link?.userId, 'expired')
      return undefined
    }
    const pending = await findPendingStep(transaction, scope, { user, by: 'link' })
    if (pending) return pending
    const created = await replaceSession(transaction, scope, user, { by: 'link' })
    await recordSignIn(transaction, scope, user, { by: 'link', using })
    return created
  })
}

/** Before the link, as in every mutation. The user must still have the email it was sent to. */
async function lockUser(
  transaction: Database,
  { userId, email }: Link,
): Promise<SessionUser | undefined> {
  const [user] = await transaction
    .select({
      id: users.id,
      email: users.email,
      name: users.name,
      role: users.role,
      theme: users.theme,
    })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.email, email), isNotNull(users.emailVerifiedAt)))
    .for('no key update')
  return user
}

/** The second of two concurrent calls finds nothing. */
async function consume(transaction: Database, { tokenHash }: Link): Promise<boolean> {
  const consumed = await transaction
    .delete(signInLinks)
    .where(and(eq(signInLinks.tokenHash, tokenHash), isLive()))
    .returning({ userId: signInLinks.userId })
  return consumed.length > 0
}

function isLive() {
  return gt(signInLinks.expiresAt, sql`now()`)
}

function recordFailure(
  transaction: Database,
  { ip, requestId }: Scope,
  targetId: string | undefined,
  reason: 'expired' | 'wrong_code',
): Promise<void> {
  const event = { action: 'sign_in', outcome: 'failure' as const, targetId, ip, requestId }
  return record(transaction, { ...event, details: { by: 'link', reason } })
}
