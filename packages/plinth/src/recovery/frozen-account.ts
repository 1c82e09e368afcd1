import { eq, sql } from 'drizzle-orm'
import { storeErasure } from '#auth/accounts/deleted-accounts/erasure'
import { deleteUserLinks } from '#auth/accounts/links'
import { revokeUserSessions } from '#auth/sessions/session'
import type { Database } from '#db/client'
import { accountChanges, recoveries, users } from '#db/schema'
import { queueMail } from '#mail/mail'
import { emailsOf, type Target } from '#recovery/history'
import type { Recovery } from '#recovery/recovery'

export async function findRecovery(
  reader: Database,
  userId: string,
): Promise<Recovery | undefined> {
  const [row] = await reader.select().from(recoveries).where(eq(recoveries.userId, userId))
  if (!row) return undefined
  const { openedBy, state } = row
  return { openedBy, state, openedAt: row.openedAt.getTime(), readyAt: row.readyAt.getTime() }
}

/** The frozen account that has the email, or had it recently. `userId` is that of the user who has it. */
export async function findFrozen(
  reader: Database,
  email: string,
  userId: string | null,
): Promise<string | undefined> {
  const had = sql`exists (select from ${accountChanges} where user_id = ${recoveries.userId}
    and (email = ${email} or new_email = ${email}))`
  const [frozen] = await reader
    .select({ userId: recoveries.userId })
    .from(recoveries)
    .where(userId ? eq(recoveries.userId, userId) : had)
    .limit(1)
  return frozen?.userId
}

/**
 * Neither a sign-in nor a change runs at the same time: a session that is being created waits for it, and
 * is then refused. Of a deleted account there is no user to lock.
 */
export async function lockAccount(transaction: Database, userId: string): Promise<void> {
  await transaction.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
  await lockRecovery(transaction, userId)
}

/** After the user, if both are locked. */
export async function lockRecovery(transaction: Database, userId: string): Promise<void> {
  const key = `plinth.recovery ${userId}`
  await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
}

/** While the account is frozen no session can be created: the database refuses it too. */
export async function freeze(
  transaction: Database,
  userId: string,
  { target, recovery }: { target: Target; recovery: Recovery },
): Promise<void> {
  await transaction.insert(recoveries).values({ userId, ...rowOf(recovery) })
  await revokeUserSessions(transaction, userId)
  await deleteUserLinks(transaction, userId)
  await storeErasure(transaction, userId)
  for (const email of emailsOf(target)) {
    await queueMail(transaction, { purpose: 'recovery_opened', email, data: { userId } })
  }
}

export async function storeRecovery(
  transaction: Database,
  userId: string,
  recovery: Recovery,
): Promise<void> {
  await transaction.update(recoveries).set(rowOf(recovery)).where(eq(recoveries.userId, userId))
}

function rowOf({ openedAt, openedBy, state, readyAt }: Recovery) {
  const times = { openedAt: new Date(openedAt), readyAt: new Date(readyAt) }
  return { ...times, openedBy: [...openedBy], state }
}
