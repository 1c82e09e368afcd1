import { sql } from 'drizzle-orm'
import { refersToRestored } from '#auth/accounts/deleted-accounts/restored-rows'
import {
  allOf,
  countRows,
  listOf,
  type StoredAccount,
  storedRows,
  valueIn,
} from '#auth/accounts/deleted-accounts/stored-rows'
import type { Table } from '#auth/accounts/deleted-accounts/tables'
import { rowsOf } from '#db/client'

/** In a table that refers to itself, rows that others refer to come first. Returns how many. */
export async function insertRows(
  account: StoredAccount,
  table: Table | undefined,
): Promise<number> {
  if (!table) return 0
  const columns = await storedColumns(account, table)
  const refersToItself = account.foreignKeys.some(
    (key) => key.table === table.name && key.target === table.name,
  )
  let all = 0
  let inserted: number
  do {
    inserted = await insertFree(account, table, columns)
    all += inserted
  } while (inserted > 0 && refersToItself)
  return all
}

/** A migration may have dropped some since, and added others, which get their default. */
async function storedColumns(
  { transaction, userId }: StoredAccount,
  table: Table,
): Promise<string[]> {
  const [row] = rowsOf<{ content: Record<string, unknown> }>(
    await transaction.execute(
      sql`select stored.content from ${storedRows(userId, table.name)} limit 1`,
    ),
  )
  const stored = row?.content ?? {}
  return table.columns.map(({ name }) => name).filter((name) => name in stored)
}

/** Inserts the rows whose references exist, and removes them from the archive. */
function insertFree(
  account: StoredAccount,
  table: Table,
  columns: readonly string[],
): Promise<number> {
  const { transaction, userId, foreignKeys } = account
  const keys = foreignKeys.filter((key) => key.table === table.name)
  const cleared = keys.flatMap((key) => (key.onDelete === 'set null' ? key.cleared : []))
  const storedValue = (name: string) => valueIn(sql`stored.content`, name, table)
  const values = columns.map((name) => (cleared.includes(name) ? sql`null` : storedValue(name)))
  const isFree = allOf(
    keys
      .filter((key) => key.onDelete !== 'set null')
      .filter((key) => key.columns.every((name) => columns.includes(name)))
      .map((key) => refersToRestored(account, key, sql`stored.content`)),
  )
  const list = (names: readonly string[]) => listOf(names.map((name) => sql.identifier(name)))
  const stored = storedRows(userId, table.name)
  // Without a primary key, rows that a unique index has refused cannot be told from the others.
  const [returned, isInserted] =
    table.key.length > 0
      ? [
          list(table.key),
          sql`((${listOf(table.key.map(storedValue))}) in (table inserted)) is true`,
        ]
      : [sql`1`, isFree]
  return countRows(
    transaction,
    sql`with inserted as (
      insert into ${sql.identifier(table.name)} (${list(columns)}) overriding system value
      select ${listOf(values)} from ${stored} and ${isFree}
      on conflict do nothing
      returning ${returned}
    ), removed as (
      delete from ${stored} and ${isInserted}
      returning 1
    ) select count(*)::integer as count from removed`,
  )
}
