import { type SQL, type SQLChunk, sql } from 'drizzle-orm'
import type { Table, Tables } from '#auth/accounts/deleted-accounts/tables'
import { type Database, rowsOf } from '#db/client'
import { deletedAccountRows } from '#db/schema'

export type StoredAccount = Tables & { transaction: Database; userId: string }

/** The rows of a table that are stored for a user, as `stored` in a query. */
export function storedRows(userId: string, table: string, constraint?: string): SQL {
  const isOfConstraint = constraint
    ? sql`stored.constraint_name = ${constraint}`
    : sql`stored.constraint_name is null`
  return sql`${deletedAccountRows} as stored where stored.user_id = ${userId}
    and stored.table_name = ${table} and ${isOfConstraint}`
}

/** The values of a row, as text by their columns. Text keeps every type as it is, also json and bytea. */
export function contentOf(row: SQL, columns: readonly string[]): SQL {
  const names = columns.map((name) => sql`${name}::text`)
  const values = columns.map((name) => sql`${row}.${sql.identifier(name)}::text`)
  return sql`jsonb_object(array[${listOf(names)}], array[${listOf(values)}])`
}

/** The value of a column, from a content, in the type that the column has now. */
export function valueIn(content: SQL, column: string, { columns }: Table, as = column): SQL {
  const type = columns.find(({ name }) => name === as)?.type ?? 'text'
  return sql`(${textIn(content, column)})::${sql.raw(type)}`
}

export function textIn(content: SQL, column: string): SQL {
  return sql`${content} ->> ${column}::text`
}

export function listOf(parts: readonly SQLChunk[]): SQL {
  return sql.join([...parts], sql`, `)
}

export function allOf(conditions: readonly SQL[]): SQL {
  return conditions.length === 0 ? sql`true` : sql.join([...conditions], sql` and `)
}

/** Runs a statement that selects `count`. */
export async function countRows(transaction: Database, statement: SQL): Promise<number> {
  const [row] = rowsOf<{ count: number }>(await transaction.execute(statement))
  return row?.count ?? 0
}
