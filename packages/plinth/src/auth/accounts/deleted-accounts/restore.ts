import { and, eq, getTableName, gt, isNull, sql } from 'drizzle-orm'
import { insertRows } from '#auth/accounts/deleted-accounts/insert-rows'
import { setReferences } from '#auth/accounts/deleted-accounts/set-references'
import type { StoredAccount } from '#auth/accounts/deleted-accounts/stored-rows'
import { insertionOrder, readTables } from '#auth/accounts/deleted-accounts/tables'
import type { Database } from '#db/client'
import { sqlState } from '#db/errors'
import { deletedAccountRows, users } from '#db/schema'

export type RestoredUser =
  | { outcome: 'restored'; leftOut: readonly LeftOut[] }
  | { outcome: 'not_archived' | 'email_taken' }

/** Rows whose unique key another row has by now, or that refer to a row that is gone. */
type LeftOut = { table: string; rows: number }

/**
 * Inserts what `archiveUser` has stored, with the same ids. `email` replaces the one that the user had.
 * If another account has the email, nothing changes.
 */
export async function restoreUser(
  transaction: Database,
  userId: string,
  { email }: { email?: string } = {},
): Promise<RestoredUser> {
  const lock = `plinth.deleted-account ${userId}`
  await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`)
  const names = await storedTables(transaction, userId)
  if (!names.includes(getTableName(users))) return { outcome: 'not_archived' }
  try {
    return await transaction.transaction(async (savepoint) => {
      const tables = await readTables(savepoint)
      const archive = { ...tables, transaction: savepoint, userId }
      if (email !== undefined) await replaceEmail(archive, email)
      for (const name of insertionOrder(names, tables)) {
        const inserted = await insertRows(archive, tables.tables.get(name))
        if (name === getTableName(users) && inserted === 0) throw emailTaken
      }
      await setReferences(archive)
      const leftOut = await countLeft(archive)
      await savepoint.delete(deletedAccountRows).where(eq(deletedAccountRows.userId, userId))
      return { outcome: 'restored', leftOut }
    })
  } catch (error) {
    if (error !== emailTaken && sqlState(error) !== reserved) throw error
    return { outcome: 'email_taken' }
  }
}

/** A trigger refuses an email that is reserved for another account. */
const reserved = '23505'

/** Thrown to roll the savepoint back. */
const emailTaken = new Error('Another account has the email.')

/** Empty if the time has come to erase them: some may be erased already. */
async function storedTables(transaction: Database, userId: string): Promise<string[]> {
  const rows = await transaction
    .selectDistinct({ name: deletedAccountRows.tableName })
    .from(deletedAccountRows)
    .where(
      and(
        eq(deletedAccountRows.userId, userId),
        isNull(deletedAccountRows.constraintName),
        gt(deletedAccountRows.eraseAt, sql`now()`),
      ),
    )
  return rows.map(({ name }) => name)
}

async function replaceEmail({ transaction, userId }: StoredAccount, email: string): Promise<void> {
  await transaction.execute(sql`
    update ${deletedAccountRows} as stored
    set content = stored.content || jsonb_build_object('email', ${email}::text)
    where stored.user_id = ${userId} and stored.table_name = ${getTableName(users)}
      and stored.constraint_name is null`)
}

async function countLeft({ transaction, userId }: StoredAccount): Promise<LeftOut[]> {
  return transaction
    .select({ table: deletedAccountRows.tableName, rows: sql<number>`count(*)::integer` })
    .from(deletedAccountRows)
    .where(and(eq(deletedAccountRows.userId, userId), isNull(deletedAccountRows.constraintName)))
    .groupBy(deletedAccountRows.tableName)
    .orderBy(deletedAccountRows.tableName)
}
