import { and, eq, inArray, notInArray, sql } from 'drizzle-orm'
import type { Database } from '#db/client'
import { databaseNow } from '#db/clock'
import { accountChanges, recoveries } from '#db/schema'
import { queueMail } from '#mail/mail'
import { listChanges, storeLinkEnds } from '#recovery/changes'
import {
  findRecovery,
  freeze,
  lockAccount,
  lockRecovery,
  storeRecovery,
} from '#recovery/frozen-account'
import { emailsOf, lifetimes, type Target } from '#recovery/history'
import { targetOf } from '#recovery/recovery'
import { storeOpenLink } from '#recovery/recovery-mail'

/**
 * An admin, or a command, freezes the account; then an admin decides. False if it is frozen already, or
 * no change can be taken back.
 */
export async function openRecoveryFor(transaction: Database, userId: string): Promise<boolean> {
  await lockAccount(transaction, userId)
  const changes = await listChanges(transaction, userId)
  const now = databaseNow()
  const target = targetOf({ changes, recovery: undefined }, now)
  if (!target || (await findRecovery(transaction, userId))) return false
  const times = { openedAt: now, readyAt: now + lifetimes.wait }
  const recovery = { ...times, openedBy: [], state: 'admin' as const }
  await freeze(transaction, userId, { target, recovery })
  return true
}

/** An admin lets the reader of one email complete the recovery. False if there is none, or no such email. */
export async function allowRecovery(
  transaction: Database,
  userId: string,
  email: string,
): Promise<boolean> {
  await lockRecovery(transaction, userId)
  const recovery = await findRecovery(transaction, userId)
  const changes = await listChanges(transaction, userId)
  const target = recovery && targetOf({ changes, recovery }, databaseNow())
  if (!target || !emailsOf(target).includes(email)) return false
  const allowed = { state: 'allowed', openedBy: [email], readyAt: databaseNow() } as const
  await storeRecovery(transaction, userId, { ...recovery, ...allowed })
  await storeOpenLink(transaction, userId, recovery, email)
  await queueMail(transaction, { purpose: 'recovery_allowed', email, data: { userId } })
  return true
}

/**
 * Leaves the account as it is. The links of the emails that opened the recovery end, the others could
 * not be used meanwhile and live on. False if there is none.
 */
export async function rejectRecovery(transaction: Database, userId: string): Promise<boolean> {
  await lockRecovery(transaction, userId)
  const recovery = await findRecovery(transaction, userId)
  const changes = await listChanges(transaction, userId)
  const target = recovery && targetOf({ changes, recovery }, databaseNow())
  const [ended] = await transaction
    .delete(recoveries)
    .where(eq(recoveries.userId, userId))
    .returning({ openedAt: recoveries.openedAt, openedBy: recoveries.openedBy })
  if (!ended) return false
  const isOpen = and(eq(accountChanges.userId, userId), eq(accountChanges.link, 'open'))
  await transaction
    .update(accountChanges)
    .set({ link: 'ended' })
    .where(and(isOpen, inArray(accountChanges.email, ended.openedBy)))
  await transaction
    .update(accountChanges)
    .set({ heldUntil: sql`now()` })
    .where(
      and(
        isOpen,
        notInArray(accountChanges.email, ended.openedBy),
        sql`${accountChanges.endsAt} > ${ended.openedAt.toISOString()}`,
      ),
    )
  await storeLinkEnds(transaction, userId)
  if (target) await queueRejections(transaction, target, ended.openedBy)
  return true
}

async function queueRejections(
  transaction: Database,
  target: Target,
  openedBy: readonly string[],
): Promise<void> {
  const current = target.window.at(-1)?.newEmail
  for (const email of emailsOf(target)) {
    const data = { isOpener: openedBy.includes(email), isCurrent: email === current }
    await queueMail(transaction, { purpose: 'recovery_rejected', email, data })
  }
}
