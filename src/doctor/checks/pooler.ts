import type { Connection } from '@/core/db/client'
import { type Finding, reporter } from '@/doctor/finding'

const { warning, ok } = reporter('database')

/** What follows from a pooler in transaction mode. */
export async function checkPooler({ query }: Connection): Promise<Finding[]> {
  const found = ok('DATABASE_URL is a connection pooler. Prepared statements are not used.')
  const { rows } = await query(`select current_setting('statement_timeout') as value`, [])
  const [row] = rows as { value: string }[]
  if (row?.value !== '0') return [found]
  return [
    found,
    warning(
      'Behind the pooler, PostgreSQL does not end a statement that was given up.',
      'Give the role limits, as docs/deploying.md says under PgBouncer.',
    ),
  ]
}
