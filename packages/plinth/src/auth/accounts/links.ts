import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import { hashToken, isToken, newToken } from '#auth/sessions/cookie'
import { env } from '#config/env'
import { type Database, database } from '#db/client'
import { fromNow } from '#db/clock'
import { type verificationPurposes, verificationTokens } from '#db/schema'
import type { Role } from '#universal/users'

const hourMs = 60 * 60 * 1000

const lifetimesMs = {
  verify_email: 24 * hourMs,
  reset_password: hourMs,
  invitation: 7 * 24 * hourMs,
}

const pages = {
  verify_email: '/verify',
  reset_password: '/reset',
  invitation: '/sign-up',
}

export type LinkPurpose = (typeof verificationPurposes)[number]

/** The mailbox it was sent to, and the user it is for if there is an account. */
export type Link = {
  email: string
  userId: string | null
  /** The role of the account that an invitation creates; `viewer` by default. */
  role?: Role
}

/**
 * Replaces an earlier link for the same email and purpose. Only the hash of its token is stored, and
 * with `store: false` nothing is: the same statement for mail that must not reveal an account.
 */
export async function createLink(
  database: Database,
  purpose: LinkPurpose,
  { email, userId, role }: Link,
  store = true,
): Promise<string> {
  const token = newToken()
  const fresh = {
    userId,
    role: role ?? null,
    tokenHash: hashToken(token),
    createdAt: sql`now()`,
    expiresAt: fromNow(lifetimesMs[purpose]),
  }
  await database
    .insert(verificationTokens)
    .select(rowIf(store, { purpose, email, ...fresh }))
    .onConflictDoUpdate({
      target: [verificationTokens.purpose, verificationTokens.email],
      set: fresh,
    })
  return token
}

type Row = Omit<Link, 'role'> & {
  role: Role | null
  purpose: LinkPurpose
  tokenHash: Buffer
  createdAt: SQL
  expiresAt: SQL
}

function rowIf(condition: boolean, row: Row): SQL {
  return sql`select
    ${sql.param(row.tokenHash, verificationTokens.tokenHash)}::bytea, ${row.purpose}::text,
    ${row.email}::text, ${row.userId}::uuid, ${row.createdAt}, ${row.expiresAt},
    ${row.role}::text
    where ${condition}::boolean`
}

/** Absolute, because it goes into mail. */
export function linkUrl(purpose: LinkPurpose, token: string): string {
  return `${env().AUTH_URL}${pages[purpose]}?token=${token}`
}

/** Does not consume the link: mail scanners open every link. */
export async function findLink(
  purpose: LinkPurpose,
  token: string | undefined,
): Promise<Link | undefined> {
  if (!isToken(token)) return undefined
  const [row] = await database()
    .select(columns)
    .from(verificationTokens)
    .where(isLive(purpose, token))
  return row && toLink(row)
}

/** The second of two concurrent calls waits for the first and then finds nothing. */
export async function consumeLink(
  transaction: Database,
  purpose: LinkPurpose,
  token: string,
): Promise<Link | undefined> {
  if (!isToken(token)) return undefined
  const [row] = await transaction
    .delete(verificationTokens)
    .where(isLive(purpose, token))
    .returning(columns)
  return row && toLink(row)
}

export async function deleteUserLinks(transaction: Database, userId: string): Promise<void> {
  await transaction.delete(verificationTokens).where(eq(verificationTokens.userId, userId))
}

export async function deleteExpiredLinks(max = 500): Promise<number> {
  const expired = sql`(select token_hash from verification_tokens where expires_at < now() limit ${max})`
  const deleted = await database()
    .delete(verificationTokens)
    .where(sql`${verificationTokens.tokenHash} in ${expired}`)
    .returning({ purpose: verificationTokens.purpose })
  return deleted.length
}

const columns = {
  email: verificationTokens.email,
  userId: verificationTokens.userId,
  role: verificationTokens.role,
}

function toLink({ role, ...link }: Omit<Link, 'role'> & { role: Role | null }): Link {
  return role ? { ...link, role } : link
}

function isLive(purpose: LinkPurpose, token: string) {
  return and(
    eq(verificationTokens.tokenHash, hashToken(token)),
    eq(verificationTokens.purpose, purpose),
    gt(verificationTokens.expiresAt, sql`now()`),
  )
}
