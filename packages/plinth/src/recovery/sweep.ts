import { and, eq, lt, ne, type SQL, sql } from 'drizzle-orm'
import { record } from '#audit/record'
import { type Database, database, rowsOf } from '#db/client'
import { databaseNow, fromNow } from '#db/clock'
import { recoveries } from '#db/schema'
import { queueMail } from '#mail/mail'
import { listChanges } from '#recovery/changes'
import { rejectRecovery } from '#recovery/decide'
import { findRecovery, lockAccount } from '#recovery/frozen-account'
import { emailsOf, lifetimes } from '#recovery/history'
import { targetOf } from '#recovery/recovery'

/** Called every ten minutes. Returns how many rows it changed. */
export async function sweepRecoveries(max: number): Promise<number> {
  const reminded = await remind(max)
  const abandoned = await endAbandoned(max)
  return reminded + abandoned + (await deleteEndedChanges(max))
}

/**
 * A row lives while its link or an earlier one of the user lives: each is a part of their window. One
 * without a link also lives until its notice is sent.
 */
async function deleteEndedChanges(max: number): Promise<number> {
  const deleted = await database().execute(sql`
    delete from account_changes where id = any(array(
      select id from account_changes as change
      where (ends_at <= now() or ends_at is null) and at < now() - interval '1 day' and not exists (
        select 1 from account_changes as earlier
        where earlier.user_id = change.user_id and earlier.position <= change.position
          and earlier.link = 'open' and earlier.ends_at > now()
      ) and not exists (select 1 from recoveries where recoveries.user_id = change.user_id)
      limit ${max}
    )) returning 1`)
  return rowsOf(deleted).length
}

async function remind(max: number): Promise<number> {
  return forEach(max, isAboutToEnd(), async (transaction, userId) => {
    const recovery = await findRecovery(transaction, userId)
    const changes = await listChanges(transaction, userId)
    const target = targetOf({ changes, recovery }, databaseNow())
    for (const email of target ? emailsOf(target) : []) {
      await queueMail(transaction, { purpose: 'recovery_reminder', email, data: { userId } })
    }
    await transaction
      .update(recoveries)
      .set({ reminded: true })
      .where(eq(recoveries.userId, userId))
  })
}

function isAboutToEnd() {
  return and(
    eq(recoveries.state, 'waiting'),
    eq(recoveries.reminded, false),
    lt(recoveries.readyAt, fromNow(lifetimes.reminder)),
  )
}

/** The account must not stay frozen for ever. */
async function endAbandoned(max: number): Promise<number> {
  const isAbandoned = and(
    ne(recoveries.state, 'admin'),
    lt(recoveries.readyAt, fromNow(-lifetimes.completion)),
  )
  return forEach(max, isAbandoned, async (transaction, userId) => {
    await rejectRecovery(transaction, userId)
    await record(transaction, {
      action: 'abandon_recovery',
      outcome: 'success',
      targetId: userId,
      ip: 'sweep',
      requestId: '',
    })
  })
}

/** Each in a transaction of its own, with the account locked as in `withLink`. */
async function forEach(
  max: number,
  condition: SQL | undefined,
  run: (transaction: Database, userId: string) => Promise<void>,
): Promise<number> {
  const { userId } = recoveries
  const found = await database().select({ userId }).from(recoveries).where(condition).limit(max)
  for (const one of found) {
    await database().transaction(async (transaction) => {
      await lockAccount(transaction, one.userId)
      const isStill = and(eq(userId, one.userId), condition)
      if ((await transaction.$count(recoveries, isStill)) > 0) await run(transaction, one.userId)
    })
  }
  return found.length
}
