import 'server-only'
import { and, eq, gt, sql } from 'drizzle-orm'
import { hashToken, isToken, newToken } from '@/core/auth/token'
import { type Database, database } from '@/core/db/client'
import { type verificationPurposes, verificationTokens } from '@/core/db/schema'
import { env } from '@/core/env'

const hour = 60 * 60 * 1000

const lifetimes = { verify_email: 24 * hour, reset_password: hour, invitation: 7 * 24 * hour }

const pages = { verify_email: '/verify', reset_password: '/reset', invitation: '/sign-up' }

export type LinkPurpose = (typeof verificationPurposes)[number]

/** Whose mailbox it was sent to, and whose account it is for where there is one. */
export type Link = { email: string; userId: string | null }

/**
 * A new token for an address. It takes the place of an older one for the same purpose; only its
 * hash is stored, so a copy of the database opens nothing.
 */
export async function createLink(
  database: Database,
  purpose: LinkPurpose,
  { email, userId }: Link,
): Promise<string> {
  const token = newToken()
  const fresh = {
    userId,
    tokenHash: hashToken(token),
    createdAt: new Date(),
    expiresAt: new Date(Date.now() + lifetimes[purpose]),
  }
  await database
    .insert(verificationTokens)
    .values({ purpose, email, ...fresh })
    .onConflictDoUpdate({
      target: [verificationTokens.purpose, verificationTokens.email],
      set: fresh,
    })
  return token
}

/** What goes into a message: whole, since it is opened from elsewhere. */
export function linkAddress(purpose: LinkPurpose, token: string): string {
  return `${env().AUTH_URL}${pages[purpose]}?token=${token}`
}

/** Looks, and leaves it usable: programs that scan mail follow every link in it. */
export async function findLink(
  purpose: LinkPurpose,
  token: string | undefined,
): Promise<Link | undefined> {
  if (!isToken(token)) return undefined
  const [link] = await database()
    .select(columns)
    .from(verificationTokens)
    .where(live(purpose, token))
  return link
}

/** Once: of two at the same moment the second waits for the first, and then finds nothing. */
export async function consumeLink(
  transaction: Database,
  purpose: LinkPurpose,
  token: string,
): Promise<Link | undefined> {
  if (!isToken(token)) return undefined
  const [link] = await transaction
    .delete(verificationTokens)
    .where(live(purpose, token))
    .returning(columns)
  return link
}

/** Of one person, for every purpose. */
export async function withdrawLinksOf(transaction: Database, userId: string): Promise<void> {
  await transaction.delete(verificationTokens).where(eq(verificationTokens.userId, userId))
}

/** Removes a few that have expired; called again and again in the background. */
export async function sweepLinks(atMost = 500): Promise<number> {
  const expired = sql`(select token_hash from verification_tokens where expires_at < now() limit ${atMost})`
  const removed = await database()
    .delete(verificationTokens)
    .where(sql`${verificationTokens.tokenHash} in ${expired}`)
    .returning({ purpose: verificationTokens.purpose })
  return removed.length
}

const columns = { email: verificationTokens.email, userId: verificationTokens.userId }

function live(purpose: LinkPurpose, token: string) {
  return and(
    eq(verificationTokens.tokenHash, hashToken(token)),
    eq(verificationTokens.purpose, purpose),
    gt(verificationTokens.expiresAt, sql`now()`),
  )
}
