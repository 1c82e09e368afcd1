import { and, eq, gt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { database } from '#db/client'
import {
  type Cursor,
  defineCursor,
  type keyset,
  type Order,
  readPage,
  readPageOrLast,
  timestampKey,
} from '#db/list'
import { sessions } from '#db/schema'

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

export const { cursorField: sessionCursorField, encodeCursor: encodeSessionCursor } = defineCursor(
  z.object({ key: timestampKey, id: z.uuid() }),
)

type Page = {
  sessions: ListedSession[]
  next: Cursor | undefined
  previous: Cursor | undefined
}

const pageSize = 20

/** A page of a user's live sessions: first `current`, then the most recently seen. */
export async function listUserSessions(
  userId: string,
  current: string,
  cursor?: Cursor,
): Promise<Page> {
  const list = { ...currentFirst(current), cursor, limit: pageSize }
  const { rows, ...links } = await readPageOrLast(list, selectSessions(userId))
  return { sessions: rows.map(toListed), ...links }
}

const batchSize = 500

/** All of them, for an export. */
export async function exportUserSessions(
  userId: string,
  current: string,
): Promise<ListedSession[]> {
  const all: ListedSession[] = []
  let cursor: Cursor | undefined
  do {
    const list = { ...currentFirst(current), cursor, limit: batchSize }
    const { rows, next } = await readPage(list, selectSessions(userId))
    all.push(...rows.map(toListed))
    cursor = next
  } while (cursor)
  return all
}

/** Later than any other time, so that the current session is on the first page only. */
const currentKey = new Date('9999-12-31T23:59:59.999Z')

function currentFirst(current: string) {
  const key = sql<Date>`case when ${sessions.id} = ${current} then ${currentKey.toISOString()}
    else ${sessions.lastSeenAt} end`
  const order: Order = { key, id: sessions.id, direction: 'desc' }
  const keyOf = ({ id, lastSeenAt }: Row) => (id === current ? currentKey : lastSeenAt)
  return { order, keyOf }
}

type Read = ReturnType<typeof keyset> & { limit: number }

function selectSessions(userId: string) {
  return ({ where, orderBy, limit }: Read): PromiseLike<Row[]> =>
    database()
      .select(columns)
      .from(sessions)
      .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, sql`now()`), where))
      .orderBy(...orderBy)
      .limit(limit)
}

const columns = {
  id: sessions.id,
  createdAt: sessions.createdAt,
  lastSeenAt: sessions.lastSeenAt,
  expiresAt: sessions.expiresAt,
  ip: sessions.ip,
  userAgent: sessions.userAgent,
}

type Row = Pick<typeof sessions.$inferSelect, keyof typeof columns>

function toListed({ ip, userAgent, ...session }: Row): ListedSession {
  return { ...session, ip: ip ?? undefined, userAgent: userAgent ?? undefined }
}
