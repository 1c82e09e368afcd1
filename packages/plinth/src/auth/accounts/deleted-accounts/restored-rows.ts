import { type SQL, sql } from 'drizzle-orm'
import {
  allOf,
  listOf,
  type StoredAccount,
  textIn,
  valueIn,
} from '#auth/accounts/deleted-accounts/stored-rows'
import { type ForeignKey, tableOf } from '#auth/accounts/deleted-accounts/tables'
import { deletedAccountRows } from '#db/schema'

/** True if the target exists and is the row that it was, or if the row refers to itself. */
export function refersToRestored(
  { tables, userId }: StoredAccount,
  key: ForeignKey,
  content: SQL,
): SQL {
  const table = tableOf(tables, key.table)
  const pairs = key.columns.map((name, index) => [name, key.targetColumns[index] ?? ''] as const)
  const isNull = pairs.map(([name]) => sql`${textIn(content, name)} is null`)
  const isTarget = pairs.map(
    ([name, of]) => sql`target.${sql.identifier(of)} = ${valueIn(content, name, table)}`,
  )
  const isItself = pairs.map(([name, of]) => sql`${textIn(content, name)} = ${textIn(content, of)}`)
  const itself = key.target === key.table ? sql`or (${allOf(isItself)})` : sql``
  const own = key.columns.map((name) => textIn(content, name))
  return sql`(
    ${sql.join(isNull, sql` or `)} ${itself}
    or exists (select from ${sql.identifier(key.target)} as target where ${allOf(isTarget)})
      and ${isNotStored(userId, key.target, key.targetColumns, own)}
  )`
}

/**
 * A row that is still stored was left out, or is inserted later: one with the same key is someone else's.
 * `not in` looks it up in a hash table, `not exists` would read all of them for each row.
 */
export function isNotStored(
  userId: string,
  table: string,
  columns: readonly string[],
  values: readonly SQL[],
): SQL {
  const stored = columns.map((name) => textIn(sql`left_out.content`, name))
  return sql`(${listOf(values)}) not in (
    select ${listOf(stored)} from ${deletedAccountRows} as left_out
    where left_out.user_id = ${userId} and left_out.table_name = ${table}
      and left_out.constraint_name is null
      and ${allOf(stored.map((value) => sql`${value} is not null`))}
  )`
}
