import 'server-only'
import { and, gt, type SQL, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { env } from 'plinth/config/env'
import { database } from 'plinth/db/client'
import {
  type Cursor,
  defineCursor,
  type Order,
  readPageOrLast,
  textKey,
  timestampKey,
} from 'plinth/db/list'
import { mailQueue, verificationTokens } from 'plinth/db/schema'
import { pageSize } from 'plinth/http/fields'
import type { Role } from 'plinth/universal/users'
import { z } from 'zod'

type Invitation = {
  email: string
  role: Role
  invitedAt: Date
  /** Undefined until the email is sent: the link is created with it. */
  expiresAt: Date | undefined
}

type Page = {
  invitations: Invitation[]
  next: Cursor | undefined
  previous: Cursor | undefined
}

export const { cursorField: invitationCursorField, encodeCursor: encodeInvitationCursor } =
  defineCursor(z.object({ key: timestampKey, id: textKey }))

export function invitationsEnabled(): boolean {
  return env().SIGN_UP === 'invite'
}

/** Unused and queued invitations, newest first. */
export async function listInvitations(cursor?: Cursor): Promise<Page> {
  const { rows, next, previous } = await readPageOrLast(
    {
      order: newestFirst,
      cursor,
      limit: pageSize.default,
      keyOf: ({ invitedAt }: Row) => invitedAt,
    },
    ({ where, orderBy, limit }) => {
      // Each part is limited too, so that it is read from its index.
      const pending = unionAll(
        sent(where)
          .orderBy(...orderBy)
          .limit(limit),
        queued(where)
          .orderBy(...orderBy)
          .limit(limit),
      ).as('pending')
      return database()
        .select()
        .from(pending)
        .orderBy(...orderBy)
        .limit(limit)
    },
  )
  const invitations = rows.map(({ id: email, role, invitedAt, expiresAt }) => ({
    email,
    role: role ?? 'viewer',
    invitedAt,
    expiresAt: expiresAt ?? undefined,
  }))
  return { invitations, next, previous }
}

type Row = { id: string; role: Role | null; invitedAt: Date; expiresAt: Date | null }

/** Columns that both tables have. */
const newestFirst: Order = {
  key: sql<Date>`created_at`,
  id: sql<string>`email`,
  direction: 'desc',
}

// The purpose is a literal, so that the planner can use the partial indexes on it.

function sent(where: SQL | undefined) {
  const expiresAt = sql`${verificationTokens.expiresAt}`
  return database()
    .select({
      id: verificationTokens.email,
      role: sql<Role | null>`${verificationTokens.role}`.as('role'),
      invitedAt: verificationTokens.createdAt,
      expiresAt: (expiresAt.mapWith(verificationTokens.expiresAt) as SQL<Date | null>).as(
        'expires_at',
      ),
    })
    .from(verificationTokens)
    .where(and(sql`${verificationTokens.purpose} = 'invitation'`, isLive, where))
}

/** Without those whose earlier link still works, which are listed as sent. */
function queued(where: SQL | undefined) {
  const link = sql`select from ${verificationTokens}
    where ${verificationTokens.purpose} = 'invitation'
    and ${verificationTokens.email} = ${mailQueue.email} and ${isLive}`
  return database()
    .select({
      id: mailQueue.email,
      role: sql<Role | null>`${mailQueue.data} ->> 'role'`.as('role'),
      invitedAt: mailQueue.createdAt,
      expiresAt: sql<Date | null>`null::timestamptz`.as('expires_at'),
    })
    .from(mailQueue)
    .where(and(sql`${mailQueue.purpose} = 'invitation'`, sql`not exists (${link})`, where))
}

const isLive = gt(verificationTokens.expiresAt, sql`now()`)
