import { type SQL, sql } from 'drizzle-orm'
import { isNotStored, refersToRestored } from '#auth/accounts/deleted-accounts/restored-rows'
import {
  allOf,
  listOf,
  type StoredAccount,
  storedRows,
  textIn,
  valueIn,
} from '#auth/accounts/deleted-accounts/stored-rows'
import { type ForeignKey, tableOf } from '#auth/accounts/deleted-accounts/tables'
import { rowsOf } from '#db/client'
import { sqlState } from '#db/errors'

/** Gives references back to the rows that have lost them, where they are still null. */
export async function setReferences(account: StoredAccount): Promise<void> {
  const { transaction, userId, tables, foreignKeys } = account
  for (const key of foreignKeys) {
    if (key.onDelete !== 'set null' || tableOf(tables, key.table).key.length === 0) continue
    if (await trySetting(account, key)) continue
    // A unique index refuses one of them.
    const rows = rowsOf<{ id: string }>(
      await transaction.execute(
        sql`select stored.id from ${storedRows(userId, key.table, key.name)}`,
      ),
    )
    for (const { id } of rows) await trySetting(account, key, sql`stored.id = ${id}`)
  }
}

/** False if a unique index refuses it. */
async function trySetting(account: StoredAccount, key: ForeignKey, condition = sql`true`) {
  try {
    await account.transaction.transaction((savepoint) =>
      savepoint.execute(settingOf(account, key, condition)),
    )
    return true
  } catch (error) {
    if (sqlState(error) === uniqueViolation) return false
    throw error
  }
}

const uniqueViolation = '23505'

function settingOf(account: StoredAccount, key: ForeignKey, condition: SQL): SQL {
  const table = tableOf(account.tables, key.table)
  const content = sql`stored.content`
  const set = key.cleared.map(
    (name) => sql`${sql.identifier(name)} = ${valueIn(content, name, table)}`,
  )
  const isRow = table.key.map(
    (name) => sql`changed.${sql.identifier(name)} = ${valueIn(sql`stored.row_key`, name, table)}`,
  )
  const ownKey = table.key.map((name) => textIn(sql`stored.row_key`, name))
  const isNull = key.cleared.map((name) => sql`changed.${sql.identifier(name)} is null`)
  return sql`
    update ${sql.identifier(key.table)} as changed set ${listOf(set)}
    from ${storedRows(account.userId, key.table, key.name)}
      and ${condition} and ${allOf([...isRow, ...isNull])}
      and ${refersToRestored(account, key, content)}
      and ${isNotStored(account.userId, key.table, table.key, ownKey)}`
}
