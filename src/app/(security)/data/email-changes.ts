import 'server-only'
import { and, eq, gt, sql } from 'drizzle-orm'
import { findEmailOwner } from 'plinth/auth/accounts/email-owner'
import { hashToken, isToken, newToken } from 'plinth/auth/sessions/cookie'
import { type Database, database } from 'plinth/db/client'
import { fromNow } from 'plinth/db/clock'
import { emailChanges } from '../schema'

const lifetimeMs = 24 * 60 * 60 * 1000

type Change = { id: string; userId: string; email: string }

/** Replaces an earlier request, whose link no longer works. */
export async function storeEmailChange(transaction: Database, change: Change): Promise<void> {
  const fresh = {
    id: change.id,
    email: change.email,
    tokenHash: null,
    createdAt: sql`now()`,
    expiresAt: fromNow(lifetimeMs),
  }
  await transaction
    .insert(emailChanges)
    .values({ userId: change.userId, ...fresh })
    .onConflictDoUpdate({ target: emailChanges.userId, set: fresh })
}

/** The same whether or not the email has an account. */
export async function findPendingChange(userId: string) {
  const [pending] = await database()
    .select({
      email: emailChanges.email,
      createdAt: emailChanges.createdAt,
      expiresAt: emailChanges.expiresAt,
    })
    .from(emailChanges)
    .where(and(eq(emailChanges.userId, userId), isLive()))
  return pending
}

/** Whether there was one. */
export async function deleteEmailChange(transaction: Database, userId: string): Promise<boolean> {
  const deleted = await transaction
    .delete(emailChanges)
    .where(eq(emailChanges.userId, userId))
    .returning({ userId: emailChanges.userId })
  return deleted.length > 0
}

type Confirmation = { token: string; isTaken: boolean }

/**
 * When the mail is sent. Undefined if the request was canceled or replaced. The token of an email
 * that has an account is not stored, with the same statement.
 */
export async function createConfirmation({
  id,
  email,
}: Omit<Change, 'userId'>): Promise<Confirmation | undefined> {
  const token = newToken()
  const isTaken = sql`(
    exists (select 1 from users where users.email = ${email})
    or email_is_reserved(${email}, ${emailChanges.userId})
  )`
  const tokenHash = sql.param(hashToken(token), emailChanges.tokenHash)
  const [updated] = await database()
    .update(emailChanges)
    .set({ tokenHash: sql`case when ${isTaken} then null else ${tokenHash}::bytea end` })
    .where(and(eq(emailChanges.id, id), eq(emailChanges.email, email), isLive()))
    .returning({ tokenHash: emailChanges.tokenHash })
  return updated && { token, isTaken: updated.tokenHash === null }
}

/** For the page: whose request it is. Undefined also if another account has the email by now. */
export async function findEmailChange(token: string | undefined): Promise<Change | undefined> {
  if (!isToken(token)) return undefined
  const [change] = await database()
    .select({ id: emailChanges.id, userId: emailChanges.userId, email: emailChanges.email })
    .from(emailChanges)
    .where(and(eq(emailChanges.tokenHash, hashToken(token)), isLive()))
  const owner = change && (await findEmailOwner(database(), change.email, change.userId))
  return owner?.userId || owner?.isReserved ? undefined : change
}

/** The new email. Of concurrent calls the second finds nothing. */
export async function consumeEmailChange(
  transaction: Database,
  userId: string,
  token: string,
): Promise<string | undefined> {
  if (!isToken(token)) return undefined
  const [consumed] = await transaction
    .delete(emailChanges)
    .where(
      and(eq(emailChanges.userId, userId), eq(emailChanges.tokenHash, hashToken(token)), isLive()),
    )
    .returning({ email: emailChanges.email })
  return consumed?.email
}

function isLive() {
  return gt(emailChanges.expiresAt, sql`now()`)
}
