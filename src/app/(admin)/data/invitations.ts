import 'server-only'
import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { env } from '@/core/config/env'
import { database } from '@/core/db/client'
import { mailQueue, verificationTokens } from '@/core/db/schema'

export type Invitation = {
  email: string
  invitedAt: Date
  /** Undefined until the email is sent: the link is created with it. */
  expiresAt: Date | undefined
}

export function invitationsEnabled(): boolean {
  return env().SIGN_UP === 'invite'
}

/** Unused and queued invitations, up to 200 of each, newest first. */
export async function listInvitations(): Promise<Invitation[]> {
  const [queued, sent] = await Promise.all([
    database()
      .select({ email: mailQueue.email, invitedAt: mailQueue.createdAt })
      .from(mailQueue)
      .where(eq(mailQueue.purpose, 'invitation'))
      .orderBy(asc(mailQueue.createdAt))
      .limit(200),
    database()
      .select({
        email: verificationTokens.email,
        invitedAt: verificationTokens.createdAt,
        expiresAt: verificationTokens.expiresAt,
      })
      .from(verificationTokens)
      .where(
        and(
          eq(verificationTokens.purpose, 'invitation'),
          gt(verificationTokens.expiresAt, sql`now()`),
        ),
      )
      .orderBy(asc(verificationTokens.createdAt))
      .limit(200),
  ])
  const all = new Map<string, Invitation>()
  for (const invitation of queued)
    all.set(invitation.email, { ...invitation, expiresAt: undefined })
  for (const invitation of sent) all.set(invitation.email, invitation)
  return [...all.values()].sort((a, b) => b.invitedAt.getTime() - a.invitedAt.getTime())
}
