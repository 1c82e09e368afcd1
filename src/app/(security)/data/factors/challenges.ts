import 'server-only'
import { and, eq, gt, lt, type SQL, sql } from 'drizzle-orm'
import { hashToken, isToken, newToken } from 'plinth/auth/sessions/cookie'
import { challengeSeconds, type FirstProof } from 'plinth/auth/sessions/steps'
import { type Database, database, rowsOf } from 'plinth/db/client'
import { fromNow } from 'plinth/db/clock'
import { users } from 'plinth/db/schema'
import type { SessionUser } from 'plinth/http/scope'
import { signInChallenges } from '../../schema'

const maxTries = 5

/** Returns the token, which stands for the first proof. */
export async function createChallenge(
  transaction: Database,
  { user, by }: FirstProof,
): Promise<string> {
  const token = newToken()
  await transaction.insert(signInChallenges).values({
    tokenHash: hashToken(token),
    userId: user.id,
    provedBy: by,
    expiresAt: fromNow(challengeSeconds * 1000),
  })
  return token
}

/** Names it without the token. */
export function challengeId(token: string): string {
  return hashToken(token).toString('hex')
}

export type Challenge = {
  user: SessionUser
  provedBy: string
  triesLeft: number
  /** A code from the mailbox has confirmed it. */
  isMailboxProved: boolean
}

/**
 * Whether it proves enough to add the first factor. A provider alone does not: a thief with a session
 * may have linked an account of their own.
 */
export function mayEnroll({ provedBy, isMailboxProved }: Challenge): boolean {
  return isMailboxProved || provedBy === 'password' || provedBy === 'link'
}

/** Counts a try. Undefined if the challenge has expired, was used or has no tries left. */
export async function tryChallenge(token: string): Promise<Challenge | undefined> {
  if (!isToken(token)) return undefined
  const [tried] = await database()
    .update(signInChallenges)
    .set({ tries: sql`${signInChallenges.tries} + 1` })
    .where(and(isLive(token), lt(signInChallenges.tries, maxTries)))
    .returning(columns)
  return tried && withUser(tried)
}

/** Does not count a try: for pages. */
export async function findChallenge(token: string | undefined): Promise<Challenge | undefined> {
  if (!isToken(token)) return undefined
  const [found] = await database()
    .select(columns)
    .from(signInChallenges)
    .where(and(isLive(token), lt(signInChallenges.tries, maxTries)))
  return found && withUser(found)
}

const columns = {
  userId: signInChallenges.userId,
  provedBy: signInChallenges.provedBy,
  tries: signInChallenges.tries,
  mailboxProvedAt: signInChallenges.mailboxProvedAt,
}

type Row = { userId: string; provedBy: string; tries: number; mailboxProvedAt: Date | null }

async function withUser({ userId, provedBy, tries, mailboxProvedAt }: Row) {
  const user = await findUser(userId)
  const isMailboxProved = mailboxProvedAt !== null
  return user && { user, provedBy, triesLeft: maxTries - tries, isMailboxProved }
}

export const mailboxUnproved = 'Enter the code that we sent to your email first.'

/** Whether it is live. There is time again to set up the factor. */
export async function proveMailbox(transaction: Database, token: string): Promise<boolean> {
  const proved = await transaction
    .update(signInChallenges)
    .set({ mailboxProvedAt: sql`now()`, expiresAt: fromNow(challengeSeconds * 1000) })
    .where(isLive(token))
    .returning({ userId: signInChallenges.userId })
  return proved.length > 0
}

/** The mail knows the id of the challenge alone. */
export async function isEmailOfChallenge(id: string, email: string): Promise<boolean> {
  const [found] = await database()
    .select({ email: users.email })
    .from(signInChallenges)
    .innerJoin(users, eq(users.id, signInChallenges.userId))
    .where(
      and(
        eq(signInChallenges.tokenHash, Buffer.from(id, 'hex')),
        gt(signInChallenges.expiresAt, sql`now()`),
      ),
    )
  return found?.email === email
}

/** Whether this call used it up. Of concurrent calls one does. */
export async function consumeChallenge(transaction: Database, token: string): Promise<boolean> {
  const consumed = await transaction
    .delete(signInChallenges)
    .where(isLive(token))
    .returning({ userId: signInChallenges.userId })
  return consumed.length > 0
}

/** Locked before the user's rows in other tables, as in every mutation. */
export async function lockUser(transaction: Database, id: string): Promise<void> {
  await transaction
    .select({ id: users.id })
    .from(users)
    .where(eq(users.id, id))
    .for('no key update')
}

/** At most `max` rows of each table, and none that was renewed meanwhile. Returns how many of all. */
export async function deleteExpired(max: number): Promise<number> {
  let deleted = 0
  for (const [table, key] of expiring) {
    const { length } = rowsOf(
      await database().execute(
        sql`delete from ${table} where ${key} in
          (select ${key} from ${table} where expires_at < now() limit ${max})
          and expires_at < now() returning 1`,
      ),
    )
    deleted += length
  }
  return deleted
}

const expiring: [SQL, SQL][] = [
  [sql`sign_in_challenges`, sql`token_hash`],
  [sql`passkey_challenges`, sql`challenge_hash`],
  [sql`remembered_browsers`, sql`id`],
  [sql`sign_in_links`, sql`user_id`],
  [sql`email_changes`, sql`user_id`],
]

export async function findUser(id: string, reader = database()): Promise<SessionUser | undefined> {
  const [user] = await reader
    .select({
      id: users.id,
      email: users.email,
      name: users.name,
      role: users.role,
      theme: users.theme,
    })
    .from(users)
    .where(eq(users.id, id))
  return user
}

function isLive(token: string) {
  return and(
    eq(signInChallenges.tokenHash, hashToken(token)),
    gt(signInChallenges.expiresAt, sql`now()`),
  )
}
