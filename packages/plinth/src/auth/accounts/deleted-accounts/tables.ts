import { getTableName, is, sql } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { type Database, rowsOf } from '#db/client'
import * as schema from '#db/schema'

/** Generated columns are left out: they cannot be inserted. */
export type Table = {
  name: string
  columns: readonly { name: string; type: string }[]
  /** The columns of the primary key. Empty if there is none. */
  key: readonly string[]
}

export type ForeignKey = {
  name: string
  table: string
  columns: readonly string[]
  target: string
  targetColumns: readonly string[]
  onDelete: 'cascade' | 'set null' | 'other'
  /** The columns that `on delete set null` sets. */
  cleared: readonly string[]
}

export type Tables = {
  tables: ReadonlyMap<string, Table>
  foreignKeys: readonly ForeignKey[]
}

export function tableOf(tables: Tables['tables'], name: string): Table {
  const table = tables.get(name)
  if (!table) throw new Error(`There is no table ${name}.`)
  return table
}

/** Reads the catalog: it has the tables of every module, as the last migration has left them. */
export async function readTables(database: Database): Promise<Tables> {
  const [row] = rowsOf<{ found: string }>(await database.execute(catalog))
  const { tables, foreignKeys } = JSON.parse(row?.found ?? '') as {
    tables: Table[]
    foreignKeys: (Omit<ForeignKey, 'cleared'> & { cleared: string[] | null })[]
  }
  return {
    tables: new Map(tables.map((table) => [table.name, table])),
    foreignKeys: foreignKeys.map((key) => ({ ...key, cleared: key.cleared ?? key.columns })),
  }
}

// `confdelsetcols` is read from JSON, because PostgreSQL 14 has no such column.
const catalog = sql`
  with own as (
    select oid, relname from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
      and not relispartition
  )
  select json_build_object(
    'tables', (
      select json_agg(json_build_object(
        'name', relname,
        'columns', (
          select coalesce(json_agg(json_build_object(
            'name', attname, 'type', format_type(atttypid, atttypmod)
          ) order by attnum), '[]')
          from pg_attribute
          where attrelid = own.oid and attnum > 0 and not attisdropped and attgenerated = ''
        ),
        'key', (
          select coalesce(json_agg(attname order by attnum), '[]')
          from pg_attribute join pg_constraint on conrelid = attrelid and contype = 'p'
          where attrelid = own.oid and attnum = any(conkey)
        )
      )) from own
    ),
    'foreignKeys', (
      select coalesce(json_agg(json_build_object(
        'name', conname,
        'table', own.relname,
        'columns', (
          select json_agg(attname order by position)
          from unnest(conkey) with ordinality as part (number, position)
            join pg_attribute on attrelid = conrelid and attnum = number
        ),
        'target', target.relname,
        'targetColumns', (
          select json_agg(attname order by position)
          from unnest(confkey) with ordinality as part (number, position)
            join pg_attribute on attrelid = confrelid and attnum = number
        ),
        'onDelete', case confdeltype when 'c' then 'cascade' when 'n' then 'set null' else 'other' end,
        'cleared', (
          select json_agg(attname)
          from jsonb_array_elements_text(
            nullif(to_jsonb(pg_constraint) -> 'confdelsetcols', 'null')
          ) as number join pg_attribute on attrelid = conrelid and attnum = number::smallint
        )
      ) order by own.relname, conname), '[]')
      from pg_constraint
        join own on own.oid = conrelid
        join own as target on target.oid = confrelid
      where contype = 'f' and conparentid = 0
    )
  )::text as found`

const coreTables: readonly string[] = Object.values(schema)
  .filter((value) => is(value, PgTable))
  .map((table) => getTableName(table))

/**
 * Puts a table after those that its rows refer to. The engine's come first: a trigger of a module on one of them
 * may change rows of the module, such as those that a new password ends.
 */
export function insertionOrder(names: readonly string[], { foreignKeys }: Tables): string[] {
  const left = [...names].sort(
    (one, other) =>
      Number(coreTables.includes(other)) - Number(coreTables.includes(one)) ||
      (one < other ? -1 : 1),
  )
  const isFree = (name: string) =>
    foreignKeys.every(
      ({ table, target, onDelete }) =>
        table !== name || target === name || onDelete === 'set null' || !left.includes(target),
    )
  const order: string[] = []
  while (left.length > 0) {
    const next = Math.max(0, left.findIndex(isFree))
    order.push(...left.splice(next, 1))
  }
  return order
}
