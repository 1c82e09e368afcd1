import { and, asc, eq, notInArray, type SQL } from 'drizzle-orm'
import { record } from '#audit/record'
import { type Database, database } from '#db/client'
import { accounts } from '#db/schema'
import type { Scope } from '#http/scope'

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
