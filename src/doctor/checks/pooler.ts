import type { Connection } from '@/core/db/client'
import { type Finding, reporter } from '@/doctor/finding'

const { warning, ok } = reporter('database')

/** PostgreSQL before version 14 does not have the second one. */
const selectLimits = `
  select current_setting('statement_timeout') <> '0'
    or coalesce(current_setting('client_connection_check_interval', true), '0') <> '0' as ends`

/** What follows from a pooler in transaction mode. */
export async function checkPooler({ query }: Connection): Promise<Finding[]> {
  const found = ok('DATABASE_URL is a connection pooler. Prepared statements are not used.')
  const { rows } = await query(selectLimits, [])
  const [row] = rows as { ends: boolean }[]
  if (row?.ends) return [found]
  return [
    found,
    warning(
      'Behind the pooler, PostgreSQL does not end a statement that was given up.',
      `Run: alter role … set client_connection_check_interval = '1s'.`,
    ),
  ]
}
