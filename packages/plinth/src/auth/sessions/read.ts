import DataLoader from 'dataloader'
import { asc, inArray, sql } from 'drizzle-orm'
import { extendableFrom } from '#auth/sessions/session'
import { connection, type Database, rowsOf } from '#db/client'
import { databaseNow, setDatabaseTime } from '#db/clock'
import { withinDeadline } from '#db/deadline'
import { noteResponse } from '#db/health'
import { users } from '#db/schema'
import type { Session } from '#http/scope'
import { runOutsideRequest } from '#log/current-request'
import type { Role, Theme } from '#universal/users'

/** A session is read again after this time even if no change was announced. */
const maxCachedMs = 60_000

/** More would make the first caller wait for the last. */
const maxBatchSize = 100

/** A session as read, with two times on the clock of `performance.now()`. */
export type CachedSession = {
  session: Session
  validUntil: number
  /** From then on it is worth a write to extend the session. */
  extendFrom: number
  /** The response of the session endpoint, serialized at the first request. */
  body?: string
}

type Row = {
  hash: string
  id: string
  userId: string
  email: string
  name: string
  role: Role
  timeZone: string | null
  theme: Theme | null
  created: number
  expires: number
  authenticated: number
  authenticatedBy: string
  remaining: number
}

/**
 * The query for a session and its user. The database's clock decides what has expired. Hashes are
 * text and times are numbers, because both databases return those alike.
 */
const selectSession = `select encode(s.token_hash, 'hex') as hash, s.id,
  u.id as "userId", u.email, u.name, u.role, u.time_zone as "timeZone", u.theme,
  (extract(epoch from s.created_at) * 1000)::float8 as created,
  (extract(epoch from s.expires_at) * 1000)::float8 as expires,
  (extract(epoch from s.authenticated_at) * 1000)::float8 as authenticated,
  s.authenticated_by as "authenticatedBy",
  (extract(epoch from s.expires_at - now()) * 1000)::float8 as remaining
from sessions s join users u on u.id = s.user_id
where s.expires_at > now()`

/** Reads a session by its cache key. The keys of one turn of the event loop become one query. */
export async function readSession(key: string): Promise<CachedSession | undefined> {
  const hash = Buffer.from(key, 'binary').toString('hex')
  return withinDeadline(connection().timeoutMs, () => loader.load(hash))
}

/** Inside a transaction, by id. */
export async function readSessionById(
  transaction: Database,
  id: string,
): Promise<Session | undefined> {
  const query = sql`${sql.raw(selectSession)} and s.id = ${id}`
  const [row] = rowsOf<Row>(await transaction.execute(query))
  return row && toSession(row)
}

const loader = new DataLoader<string, CachedSession | undefined>(readAll, {
  cache: false,
  maxBatchSize,
  // The query belongs to many requests and must not end with the first.
  batchScheduleFn: (run) => runOutsideRequest(() => setImmediate(run)),
})

async function readAll(hashes: readonly string[]): Promise<(CachedSession | undefined)[]> {
  const readAt = performance.now()
  const list = `{${hashes.map((hash) => `"\\\\x${hash}"`).join()}}`
  const { rows } = await connection().queryPipelined(
    `${selectSession} and s.token_hash = any($1::text::bytea[])`,
    [list],
  )
  noteResponse()
  const [first] = rows as readonly Row[]
  if (first) setDatabaseTime(timeOfRead(first), readAt)
  const found = new Map((rows as readonly Row[]).map((row) => [row.hash, row]))
  return hashes.map((hash) => {
    const row = found.get(hash)
    return row && toCachedSession(row, readAt)
  })
}

function toCachedSession(row: Row, readAt: number): CachedSession {
  const session = toSession(row)
  const { createdAt, expiresAt } = session
  return {
    session,
    validUntil: readAt + Math.min(maxCachedMs, row.remaining),
    extendFrom: readAt + extendableFrom(createdAt.getTime(), expiresAt.getTime()) - timeOfRead(row),
  }
}

/** The time of the read, by the database's clock. */
function timeOfRead({ expires, remaining }: Row): number {
  return expires - remaining
}

function toSession({ id, userId, email, name, role, timeZone, theme, ...row }: Row): Session {
  const preferences = { ...(timeZone ? { timeZone } : {}), ...(theme ? { theme } : {}) }
  return {
    id,
    user: { id: userId, email, name, role, ...preferences },
    createdAt: new Date(Math.round(row.created)),
    expiresAt: new Date(Math.round(row.expires)),
    authenticatedAt: new Date(Math.round(row.authenticated)),
    authenticatedBy: row.authenticatedBy,
  }
}

/**
 * Reads the session again inside the transaction that is about to change data. The users involved
 * are locked in one order, so that two users who change each other do not deadlock.
 */
export async function recheckSession(
  transaction: Database,
  session: Session,
  otherUserIds: readonly string[] = [],
): Promise<Session | undefined> {
  await transaction
    .select({ id: users.id })
    .from(users)
    .where(inArray(users.id, [session.user.id, ...otherUserIds]))
    .orderBy(asc(users.id))
    .for('no key update')
  return readSessionById(transaction, session.id)
}

const defaultMinutes = 10

/** Whether the user proved who they are in the last minutes; `true` is ten. */
export function isRecentSignIn(session: Session, recentSignIn: true | number = true): boolean {
  const minutes = recentSignIn === true ? defaultMinutes : recentSignIn
  return session.authenticatedAt.getTime() > databaseNow() - minutes * 60_000
}

/** The fields of a session that its owner sees. */
export function publicSession({ user, expiresAt }: Pick<Session, 'user' | 'expiresAt'>) {
  const { id, email, name, role } = user
  return { user: { id, email, name, role }, expires: expiresAt.toISOString() }
}
