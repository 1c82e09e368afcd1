import { inArray, type SQL, sql } from 'drizzle-orm'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
import { type Database, rowsOf } from '#db/client'
import { accounts, type MethodKind, passwords } from '#db/schema'
import type { Method } from '#recovery/history'

/** A table of sign-in methods with a column `user_id`. Recovery copies, removes and restores its rows. */
export type MethodTable = {
  kind: MethodKind
  table: PgTable
  /** Tells a method from its replacement. Rows with the same one are one method. */
  id: SQL
  /** For its owner, if there can be several. */
  name?: SQL
  /** Rows that do not count yet are left out. */
  counts?: SQL
}

/** With the rows that restore it. */
export type StoredMethod = Method & { name: string | null; rows: readonly unknown[] }

const coreTables: readonly MethodTable[] = [
  {
    kind: 'password',
    table: passwords,
    id: sql`left(encode(sha256(${passwords.hash}::bytea), 'hex'), 32)`,
  },
  {
    kind: 'provider',
    table: accounts,
    id: sql`${accounts.provider} || ' ' || ${accounts.providerAccountId}`,
    name: sql`${accounts.provider}`,
  },
]

const installed = { tables: coreTables }

export function installMethodTables(
  modules: readonly { signInMethodTables?: readonly MethodTable[] }[],
) {
  installed.tables = [
    ...coreTables,
    ...modules.flatMap(({ signInMethodTables = [] }) => signInMethodTables),
  ]
}

/** All sign-in methods of a user. */
export async function snapshot(reader: Database, userId: string): Promise<StoredMethod[]> {
  const queries = installed.tables.map(
    ({ kind, table, id, name = sql`null`, counts = sql`true` }) => {
      const row = sql`to_jsonb(${table})`
      return sql`select ${kind}::text as kind, ${id} as id, ${name}::text as name, jsonb_agg(${row}) as rows
      from ${table} where user_id = ${userId} and ${counts} group by 2, 3`
    },
  )
  const found = await reader.execute(sql`${sql.join(queries, sql` union all `)} order by kind, id`)
  return rowsOf(found) as StoredMethod[]
}

export async function removeMethods(
  transaction: Database,
  userId: string,
  methods: readonly Method[],
): Promise<void> {
  for (const { kind, table, id } of installed.tables) {
    const ids = methods.filter((method) => method.kind === kind).map((method) => method.id)
    if (ids.length === 0) continue
    await transaction.delete(table).where(sql`user_id = ${userId} and ${inArray(id, ids)}`)
  }
}

/** Replaces the rows of a current method. */
export async function replaceRows(
  transaction: Database,
  userId: string,
  method: Method & Pick<StoredMethod, 'rows'>,
): Promise<void> {
  await removeMethods(transaction, userId, [method])
  await restoreMethods(transaction, [method])
}

/** A method that someone else has by now, such as a linked account, is left out. */
export async function restoreMethods(
  transaction: Database,
  methods: readonly (Method & Pick<StoredMethod, 'rows'>)[],
): Promise<void> {
  for (const { kind, table, counts } of installed.tables) {
    const found = methods.filter((method) => method.kind === kind).flatMap((method) => method.rows)
    if (found.length === 0) continue
    const rows = sql`jsonb_populate_recordset(null::${table}, ${JSON.stringify(found)}::jsonb)`
    // A method that is being set up would be in the way.
    const isOfOwner = sql`user_id in (select user_id from ${rows})`
    if (counts) await transaction.delete(table).where(sql`${isOfOwner} and not ${counts}`)
    const columns = sql.join(
      getTableConfig(table).columns.map(({ name }) => sql.identifier(name)),
      sql`, `,
    )
    await transaction.execute(
      sql`insert into ${table} (${columns}) select ${columns}
        from ${rows}
        on conflict do nothing`,
    )
  }
}
