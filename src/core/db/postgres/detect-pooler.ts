import 'server-only'
import { splitDatabaseUrl } from '@/core/config/setting-types'
import { DatabaseConnection } from '@/core/db/postgres/database-connection'
import { isParameterRefusal } from '@/core/db/startup-errors'

const limitMs = 5_000

/** A pooler in transaction mode refuses or ignores startup parameters; PostgreSQL does neither. */
export async function isPooler(url: string): Promise<boolean> {
  const asked = splitDatabaseUrl(url).urls.map(ignoresParameters)
  return Promise.any(asked).catch(({ errors: [first] }: AggregateError) => {
    throw first
  })
}

async function ignoresParameters(url: string): Promise<boolean> {
  const connection = new DatabaseConnection(url, {
    prepare: false,
    // A name that neither the URL nor the role sets.
    connection: { application_name: 'plinth', 'plinth.direct': 'on' },
  })
  const select = `select current_setting('plinth.direct', true) as direct`
  try {
    const [row] = await connection.run(connection.sql.unsafe(select), limitMs)
    return row?.direct !== 'on'
  } catch (error) {
    if (isParameterRefusal(error)) return true
    throw error
  } finally {
    void connection.close(limitMs)
  }
}
