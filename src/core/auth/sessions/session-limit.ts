import 'server-only'
import { sql } from 'drizzle-orm'
import { type Database, preparedStatement } from '@/core/db/client'
import type { Scope, Session } from '@/core/http/scope'

export const maxLiveSessions = 50

const endExcess = preparedStatement(
  'end_excess_sessions',
  sql`select end_excess_sessions(
    ${sql.placeholder('userId')}, ${sql.placeholder('sessionId')}, ${sql.placeholder('max')},
    ${sql.placeholder('ip')}, ${sql.placeholder('requestId')}
  )`,
)

/** After a sign-in: the least recently used sessions of the user beyond the limit end. */
export async function endExcessSessions(
  transaction: Database,
  { ip, requestId }: Scope,
  { id: sessionId, user }: Session,
): Promise<void> {
  const max = maxLiveSessions
  await endExcess(transaction, { userId: user.id, sessionId, max, ip, requestId })
}
