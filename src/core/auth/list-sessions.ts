import 'server-only'
import { and, desc, eq, gt, sql } from 'drizzle-orm'
import { database } from '@/core/db/client'
import { prepared } from '@/core/db/prepared'
import { sessions } from '@/core/db/schema'

/** A session as people are shown it: from where, and since when. */
export type ShownSession = {
  id: string
  createdAt: Date
  /** Written at most once a day. */
  lastSeenAt: Date
  expiresAt: Date
  address: string | undefined
  userAgent: string | undefined
}

const { placeholder } = sql

const query = prepared((database) =>
  database
    .select({
      id: sessions.id,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
      expiresAt: sessions.expiresAt,
      address: sessions.address,
      userAgent: sessions.userAgent,
    })
    .from(sessions)
    .where(and(eq(sessions.userId, placeholder('userId')), gt(sessions.expiresAt, sql`now()`)))
    .orderBy(
      desc(eq(sessions.id, placeholder('first'))),
      desc(sessions.lastSeenAt),
      desc(sessions.id),
    )
    .limit(placeholder('atMost'))
    .prepare('list_sessions'),
)

/** Those of a person that are alive: the one named, if one is, then the last seen. */
export async function listSessionsOf(
  userId: string,
  atMost: number,
  first: string | null = null,
): Promise<ShownSession[]> {
  const rows = await query(database()).execute({ userId, first, atMost })
  return rows.map(({ address, userAgent, ...session }) => ({
    ...session,
    address: address ?? undefined,
    userAgent: userAgent ?? undefined,
  }))
}
