import { eq, sql } from 'drizzle-orm'
import { type Database, database } from '#db/client'
import { accountChanges, deletedAccountRows, recoveries } from '#db/schema'

/**
 * Stores when the rows of a deleted account are erased: when its last link has ended, and not while a
 * recovery is open.
 */
export async function storeErasure(transaction: Database, userId: string): Promise<void> {
  await transaction.execute(sql`
    update ${deletedAccountRows} set erase_at = case
      when exists (select from ${recoveries} where user_id = ${userId}) then 'infinity'
      else coalesce((
        select max(ends_at) from ${accountChanges} where user_id = ${userId} and link = 'open'
      ), now())
    end
    where user_id = ${userId}`)
}

/** Erases what could bring the account back, whether or not it is deleted. Returns whether it was. */
export async function eraseAccount(transaction: Database, userId: string): Promise<boolean> {
  await transaction.delete(recoveries).where(eq(recoveries.userId, userId))
  await transaction.delete(accountChanges).where(eq(accountChanges.userId, userId))
  const erased = await transaction
    .delete(deletedAccountRows)
    .where(eq(deletedAccountRows.userId, userId))
    .returning({ id: deletedAccountRows.id })
  return erased.length > 0
}

/** Deletes archives whose time has come. Returns how many rows. */
export async function eraseArchives(max = 500): Promise<number> {
  const { id, eraseAt } = deletedAccountRows
  const due = sql`(select id from ${deletedAccountRows} where erase_at <= now() order by id limit ${max})`
  const erased = await database()
    .delete(deletedAccountRows)
    .where(sql`${id} in ${due} and ${eraseAt} <= now()`)
    .returning({ id })
  return erased.length
}
