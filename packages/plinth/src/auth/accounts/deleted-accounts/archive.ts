import { getTableName, type SQL, sql } from 'drizzle-orm'
import {
  allOf,
  contentOf,
  countRows,
  listOf,
  type StoredAccount,
  storedRows,
  valueIn,
} from '#auth/accounts/deleted-accounts/stored-rows'
import { type ForeignKey, readTables, tableOf } from '#auth/accounts/deleted-accounts/tables'
import { deleteUserRows } from '#auth/accounts/users'
import { revokeUserSessions } from '#auth/sessions/session'
import type { Database } from '#db/client'
import { deletedAccountRows, sessions, users, verificationTokens } from '#db/schema'

/** A recovery brings back no proof of someone who was signed in. */
const notKept: readonly string[] = [sessions, verificationTokens].map((table) =>
  getTableName(table),
)

type Archive = StoredAccount & { eraseAt: Date }

/**
 * Deletes the user as `deleteUserRows` does, and keeps for `restoreUser` until `eraseAt`: the row of
 * the user, all rows that are deleted with it, and which rows have lost a reference to one of them. The
 * rows are really deleted, so no list, count or search has to leave them out. False if the user does not
 * exist.
 */
export async function archiveUser(
  transaction: Database,
  userId: string,
  eraseAt: Date,
): Promise<boolean> {
  const archive = { ...(await readTables(transaction)), transaction, userId, eraseAt }
  const stored = await storeRows(archive, getTableName(users), sql`deleted.id = ${userId}`)
  if (stored === 0) return false
  await revokeUserSessions(transaction, userId)
  await storeReferences(archive, await storeDependentRows(archive))
  return deleteUserRows(transaction, userId)
}

/** Follows the foreign keys that delete rows, also through other tables. Returns the tables. */
async function storeDependentRows(archive: Archive): Promise<ReadonlySet<string>> {
  const archived = new Set<string>([getTableName(users)])
  const next = [...archived]
  for (let target = next.shift(); target; target = next.shift()) {
    for (const key of archive.foreignKeys) {
      if (key.target !== target || key.onDelete !== 'cascade') continue
      if (notKept.includes(key.table)) continue
      if ((await storeRows(archive, key.table, refersToStored(archive, key))) === 0) continue
      archived.add(key.table)
      if (!next.includes(key.table)) next.push(key.table)
    }
  }
  return archived
}

/**
 * Locks the rows: no row that refers to one of them can be added before the user is deleted. Rows that
 * another foreign key has led to already are stored once.
 */
function storeRows(archive: Archive, name: string, condition: SQL): Promise<number> {
  const { transaction, userId, eraseAt } = archive
  const columns = tableOf(archive.tables, name).columns.map((column) => column.name)
  const content = contentOf(sql`deleted`, columns)
  return countRows(
    transaction,
    sql`with added as (
      insert into ${deletedAccountRows} (user_id, erase_at, table_name, content)
      select ${userId}::uuid, ${eraseAt.toISOString()}::timestamptz, ${name}::text, ${content}
      from ${sql.identifier(name)} as deleted
      where ${condition}
        and ${content} not in (select stored.content from ${storedRows(userId, name)})
      for update of deleted
      returning 1
    ) select count(*)::integer as count from added`,
  )
}

/** Stores what foreign keys with `on delete set null` refer to, in rows that stay and in stored ones. */
async function storeReferences(archive: Archive, archived: ReadonlySet<string>): Promise<void> {
  for (const key of archive.foreignKeys) {
    const { onDelete, table, target } = key
    const columns = tableOf(archive.tables, table).key
    if (onDelete !== 'set null' || columns.length === 0 || notKept.includes(table)) continue
    if (archived.has(target)) await storeReference(archive, key, refersToStored(archive, key))
    if (archived.has(table)) {
      const isStored = { table, columns, target: table, targetColumns: columns }
      await storeReference(archive, key, refersToStored(archive, isStored))
    }
  }
}

function storeReference(
  { transaction, userId, eraseAt, ...archive }: Archive,
  { name, table, columns }: ForeignKey,
  condition: SQL,
): Promise<unknown> {
  const key = contentOf(sql`deleted`, tableOf(archive.tables, table).key)
  const isSet = columns.map((column) => sql`deleted.${sql.identifier(column)} is not null`)
  return transaction.execute(sql`
    insert into ${deletedAccountRows}
      (user_id, erase_at, table_name, constraint_name, row_key, content)
    select ${userId}::uuid, ${eraseAt.toISOString()}::timestamptz, ${table}::text, ${name}::text,
      ${key}, ${contentOf(sql`deleted`, columns)}
    from ${sql.identifier(table)} as deleted
    where ${condition} and ${allOf(isSet)}
      and ${key} not in (select stored.row_key from ${storedRows(userId, table, name)})`)
}

type Reference = Pick<ForeignKey, 'table' | 'columns' | 'target' | 'targetColumns'>

/**
 * PostgreSQL does not know how many rows were just stored. The array makes it use the index of the first
 * column, and `is true` a hash table.
 */
function refersToStored({ userId, tables }: Archive, reference: Reference): SQL {
  const { table, columns, target, targetColumns } = reference
  const own = columns.map((name) => sql`deleted.${sql.identifier(name)}`)
  const stored = targetColumns.map((name, index) =>
    valueIn(sql`stored.content`, name, tableOf(tables, table), columns[index]),
  )
  const rows = storedRows(userId, target)
  const first = sql`${own[0]} = any(array(select ${stored[0]} from ${rows}))`
  if (columns.length === 1) return first
  const isSet = allOf(own.map((value) => sql`${value} is not null`))
  return sql`${first} and ${isSet} and ((${listOf(own)}) in (
    select ${listOf(stored)} from ${rows}
  )) is true`
}
