import 'server-only'
import { and, desc, eq, gt, sql } from 'drizzle-orm'
import { database } from '@/core/db/client'
import { preparedQuery } from '@/core/db/prepared-query'
import { sessions } from '@/core/db/schema'

/** A session in a list of sessions. */
export type ListedSession = {
  id: string
  createdAt: Date
  /** Updated at most once a day. */
  lastSeenAt: Date
  expiresAt: Date
  ip: string | undefined
  userAgent: string | undefined
}

const { placeholder } = sql

const query = preparedQuery((database) =>
  database
    .select({
      id: sessions.id,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
      expiresAt: sessions.expiresAt,
      ip: sessions.ip,
      userAgent: sessions.userAgent,
    })
    .from(sessions)
    .where(and(eq(sessions.userId, placeholder('userId')), gt(sessions.expiresAt, sql`now()`)))
    .orderBy(
      desc(eq(sessions.id, placeholder('first'))),
      desc(sessions.lastSeenAt),
      desc(sessions.id),
    )
    .limit(placeholder('max'))
    .prepare('list_sessions'),
)

/** The live sessions of a user: first the one with the id `first`, then the most recently seen. */
export async function listUserSessions(
  userId: string,
  max: number,
  first: string | null = null,
): Promise<ListedSession[]> {
  const rows = await query(database()).execute({ userId, first, max })
  return rows.map(({ ip, userAgent, ...session }) => ({
    ...session,
    ip: ip ?? undefined,
    userAgent: userAgent ?? undefined,
  }))
}
