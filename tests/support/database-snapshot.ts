import { sql } from 'drizzle-orm'
import type { Database } from '@/core/db/client'

/** Denials are audited and counted, and mail is sent in the background. */
const excluded = [
  'audit_events',
  'rate_limits',
  'user_counts',
  'mail_queue',
  'change_log',
  'change_log_sweep',
  'static_files',
  'plinth_migrations',
]

/** Every other table as text: what a rejected request must not change. */
export async function snapshotDatabase(database: Database): Promise<string> {
  const found = await query<{ name: string }>(
    database,
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' order by name`,
  )
  const names = found.map(({ name }) => name).filter((name) => !excluded.includes(name))
  const tables = await Promise.all(
    names.map(async (table) => {
      const all = `select coalesce(json_agg(t order by t::text), '[]') as rows from "${table}" t`
      const [first] = await query<{ rows: unknown }>(database, all)
      return [table, first?.rows]
    }),
  )
  return JSON.stringify(Object.fromEntries(tables))
}

async function query<Row>(database: Database, statement: string): Promise<Row[]> {
  const result = (await database.execute(sql.raw(statement))) as unknown as Row[] | { rows: Row[] }
  return 'rows' in result ? result.rows : result
}
