import 'server-only'
import { and, asc, eq, notInArray, type SQL } from 'drizzle-orm'
import { record } from '@/core/audit/record'
import { consumeLink, createLink, findLink } from '@/core/auth/accounts/links'
import { revokeUserSessions } from '@/core/auth/sessions/session'
import { type Database, database } from '@/core/db/client'
import { accounts, users } from '@/core/db/schema'
import type { Scope } from '@/core/http/scope'

export type LinkedAccount = { provider: string; linkedAt: Date }

export function listLinkedAccounts(userId: string, reader = database()): Promise<LinkedAccount[]> {
  return reader
    .select({ provider: accounts.provider, linkedAt: accounts.createdAt })
    .from(accounts)
    .where(eq(accounts.userId, userId))
    .orderBy(asc(accounts.provider))
}

export async function isLinked(userId: string, provider: string): Promise<boolean> {
  const linked = await listLinkedAccounts(userId)
  return linked.some((account) => account.provider === provider)
}

/** All except those of the `kept` providers. */
export function unlinkOtherAccounts(
  transaction: Database,
  scope: Scope,
  userId: string,
  kept: readonly string[],
): Promise<void> {
  return unlink(transaction, scope, userId, notInArray(accounts.provider, [...kept]))
}

function unlinkProvider(
  transaction: Database,
  scope: Scope,
  userId: string,
  provider: string,
): Promise<void> {
  return unlink(transaction, scope, userId, eq(accounts.provider, provider))
}

async function unlink(
  transaction: Database,
  { ip, requestId }: Scope,
  userId: string,
  condition: SQL,
): Promise<void> {
  const unlinked = await transaction
    .delete(accounts)
    .where(and(eq(accounts.userId, userId), condition))
    .returning({ provider: accounts.provider })
  for (const { provider } of unlinked) {
    await record(transaction, {
      action: 'unlink_account',
      outcome: 'success',
      actorId: userId,
      targetId: userId,
      ip,
      requestId,
      details: { by: provider },
    })
  }
}

/**
 * For an owner who did not link or unlink an account: unlinks the provider's account, ends every
 * session and returns the token of a reset link. Undefined if the link is not valid.
 */
export async function secureAccount(
  scope: Scope,
  { token, provider }: { token: string; provider: string },
): Promise<string | undefined> {
  const link = await findLink('secure_account', token)
  return database().transaction(async (transaction) => {
    const userId = link?.userId
    const used =
      userId && (await lockUser(transaction, userId))
        ? await consumeLink(transaction, 'secure_account', token)
        : undefined
    const { ip, requestId } = scope
    const event = { action: 'secure_account', ip, requestId }
    if (!userId || !used) {
      await record(transaction, { ...event, outcome: 'failure' })
      return undefined
    }
    await unlinkProvider(transaction, scope, userId, provider)
    const revoked = await revokeUserSessions(transaction, userId)
    await record(transaction, {
      ...event,
      outcome: 'success',
      actorId: userId,
      targetId: userId,
      details: { by: 'link', revoked },
    })
    return createLink(transaction, 'reset_password', { email: used.email, userId })
  })
}

/** Users are locked before their rows in other tables, as in every mutation. */
async function lockUser(transaction: Database, id: string): Promise<boolean> {
  const rows = await transaction
    .select({ id: users.id })
    .from(users)
    .where(eq(users.id, id))
    .for('no key update')
  return rows.length > 0
}
