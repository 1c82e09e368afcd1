import { desc, eq, or } from 'drizzle-orm'
import type { Database } from '#db/client'
import { databaseNow } from '#db/clock'
import { accountChanges, users } from '#db/schema'
import { listChanges } from '#recovery/changes'
import { describeChange } from '#recovery/describe-change'
import { findRecovery } from '#recovery/frozen-account'
import { emailsOf, linkEnds, liveChanges } from '#recovery/history'
import { type Recovery, targetOf } from '#recovery/recovery'

/** The facts by which an admin, or a command, decides. */
export type RecoveryReview = {
  /** That of the account now. Undefined if it is deleted. */
  email: string | undefined
  /** Oldest first. */
  timeline: ReviewedChange[]
  /** Undefined if the account is not frozen. */
  recovery: Recovery | undefined
  /** The emails of the window, that of the target first. Empty if nothing can be taken back. */
  emails: string[]
}

export type ReviewedChange = {
  id: string
  at: Date
  sentences: string[]
  by: 'user' | 'admin'
  /** With an app or passkey that is older than the target. */
  confirmed: boolean
  /** Where the notice went. Undefined for a change by an admin, which sends none. */
  email: string | undefined
  /** Until when its link works. Undefined if it has none, or it has ended. */
  linkEndsAt: Date | undefined
}

export async function reviewRecovery(reader: Database, userId: string): Promise<RecoveryReview> {
  const recovery = await findRecovery(reader, userId)
  const changes = await listChanges(reader, userId)
  const now = databaseNow()
  const target = targetOf({ changes, recovery }, now)
  const live = new Set(liveChanges(changes, recovery?.openedAt ?? now).map(({ id }) => id))
  const ends = linkEnds(changes)
  const timeline = changes.map((change): ReviewedChange => {
    const { id, by, confirmed, email } = change
    return {
      id,
      at: new Date(change.at),
      sentences: describeChange(change),
      by,
      confirmed,
      email: by === 'user' ? email : undefined,
      linkEndsAt: live.has(id) ? new Date(ends.get(id) ?? now) : undefined,
    }
  })
  const [user] = await reader.select({ email: users.email }).from(users).where(eq(users.id, userId))
  return { email: user?.email, timeline, recovery, emails: target ? emailsOf(target) : [] }
}

/** Finds an account by its present email or one of its window, also a deleted one that can come back. */
export async function findAccountByEmail(
  reader: Database,
  email: string,
): Promise<string | undefined> {
  const [user] = await reader.select({ id: users.id }).from(users).where(eq(users.email, email))
  if (user) return user.id
  const [change] = await reader
    .select({ userId: accountChanges.userId })
    .from(accountChanges)
    .where(or(eq(accountChanges.email, email), eq(accountChanges.newEmail, email)))
    .orderBy(desc(accountChanges.position))
    .limit(1)
  return change?.userId
}
