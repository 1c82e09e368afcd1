import 'server-only'
import { and, eq, gt, gte, ne, or, sql } from 'drizzle-orm'
import { record } from '@/core/audit/record'
import { createLink } from '@/core/auth/accounts/links'
import { hashToken, isToken, newToken } from '@/core/auth/sessions/cookie'
import { revokeUserSessions } from '@/core/auth/sessions/session'
import { type Database, database } from '@/core/db/client'
import { fromNow } from '@/core/db/clock'
import { passwords, verificationTokens } from '@/core/db/schema'
import type { Scope } from '@/core/http/scope'
import { queueNotice } from '../notices'
import { emailUndos, signInChallenges, signInLinks } from '../schema'
import { deleteEmailChange, setEmail } from './email-changes'
import { forgetBrowsers } from './factors/browsers'
import { lockUser } from './factors/challenges'
import { deleteFactorsSince } from './later-factors'
import { findUserEmail } from './overview'

const lifetimeMs = 7 * 24 * 60 * 60 * 1000

export const suspectDays = 7

type NewUndo = { id: string; userId: string; email: string }

/** In the transaction of the change. `email` is the old one. */
export async function storeUndo(transaction: Database, undo: NewUndo): Promise<void> {
  await transaction.insert(emailUndos).values({ ...undo, expiresAt: fromNow(lifetimeMs) })
}

/** When the mail is sent. Undefined if there is nothing to undo any more. */
export async function createUndoToken({
  id,
  email,
}: Omit<NewUndo, 'userId'>): Promise<string | undefined> {
  const token = newToken()
  const updated = await database()
    .update(emailUndos)
    .set({ tokenHash: hashToken(token) })
    .where(and(eq(emailUndos.id, id), eq(emailUndos.email, email), isLive()))
    .returning({ id: emailUndos.id })
  return updated.length > 0 ? token : undefined
}

type Undo = { userId: string; email: string; changedAt: Date }

/** Does not use up the link: mail scanners open every link. */
export async function findUndo(token: string | undefined): Promise<Undo | undefined> {
  if (!isToken(token)) return undefined
  const [undo] = await database().select(columns).from(emailUndos).where(isLink(token))
  return undo
}

export type Undone = { resetToken: string } | { error: 'invalid_link' | 'email_taken' }

/**
 * For an owner whose email someone else has changed. Restores it, ends every session, and removes the
 * password and the factors that a thief may have added. The owner chooses a new password next.
 */
export async function undoEmailChange(scope: Scope, token: string): Promise<Undone> {
  const found = await findUndo(token)
  try {
    return await database().transaction(async (transaction) => {
      if (found) await lockUser(transaction, found.userId)
      const undo = found && (await consume(transaction, token))
      if (!undo) return await reject(transaction, scope, undefined, 'invalid_link')
      return { resetToken: await restore(transaction, scope, undo) }
    })
  } catch (error) {
    if (error !== emailTaken) throw error
    return reject(database(), scope, found?.userId, 'email_taken')
  }
}

/** Thrown to roll the transaction back. */
const emailTaken = new Error('Another account has the email.')

async function restore(transaction: Database, scope: Scope, undo: Undo): Promise<string> {
  const { userId, email, changedAt } = undo
  const replaced = await findUserEmail(transaction, userId)
  if (!(await setEmail(transaction, userId, email))) throw emailTaken
  const revoked = await revokeUserSessions(transaction, userId)
  await forgetBrowsers(transaction, userId)
  await endLinks(transaction, undo)
  const factors = await deleteFactorsSince(transaction, userId, suspectSince(changedAt))
  // It may be the thief's, and the owner may not get as far as a new one.
  await transaction.delete(passwords).where(eq(passwords.userId, userId))
  if (replaced && replaced !== email) {
    await queueNotice(transaction, replaced, { kind: 'email_restored' })
  }
  const { ip, requestId } = scope
  await record(transaction, {
    action: 'undo_email_change',
    outcome: 'success',
    actorId: userId,
    targetId: userId,
    ip,
    requestId,
    details: { by: 'link', revoked, factors },
  })
  return createLink(transaction, 'reset_password', { email, userId })
}

/** A thief who adds a factor first and then changes the email must not keep it. */
function suspectSince(changedAt: Date): Date {
  return new Date(changedAt.getTime() - suspectDays * 24 * 60 * 60 * 1000)
}

/** Those that other mailboxes have, and newer undo links: they would give the account back. */
async function endLinks(transaction: Database, { userId, email, changedAt }: Undo): Promise<void> {
  const isForeign = or(
    ne(verificationTokens.email, email),
    ne(verificationTokens.purpose, 'secure_account'),
  )
  await transaction
    .delete(verificationTokens)
    .where(and(eq(verificationTokens.userId, userId), isForeign))
  await transaction.delete(signInLinks).where(eq(signInLinks.userId, userId))
  await transaction.delete(signInChallenges).where(eq(signInChallenges.userId, userId))
  await deleteEmailChange(transaction, userId)
  await transaction
    .delete(emailUndos)
    .where(and(eq(emailUndos.userId, userId), gte(emailUndos.changedAt, changedAt)))
}

/** Of concurrent calls the second finds nothing. */
async function consume(transaction: Database, token: string): Promise<Undo | undefined> {
  const [undo] = await transaction.delete(emailUndos).where(isLink(token)).returning(columns)
  return undo
}

const columns = {
  userId: emailUndos.userId,
  email: emailUndos.email,
  changedAt: emailUndos.changedAt,
}

function isLink(token: string) {
  return and(eq(emailUndos.tokenHash, hashToken(token)), isLive())
}

function isLive() {
  return gt(emailUndos.expiresAt, sql`now()`)
}

async function reject(
  transaction: Database,
  { ip, requestId }: Scope,
  targetId: string | undefined,
  error: 'invalid_link' | 'email_taken',
): Promise<Undone> {
  const event = { action: 'undo_email_change', outcome: 'failure' as const, targetId }
  await record(transaction, { ...event, ip, requestId, details: { reason: error } })
  return { error }
}
