import 'server-only'
import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { env } from '@/core/config/env'
import { database } from '@/core/db/client'
import { mailQueue, users, verificationTokens } from '@/core/db/schema'
import { runMutation } from '@/core/guard/mutation'
import type { SignedInScope } from '@/core/guard/policy'
import { queueMail } from '@/core/mail/queue'
import { wakeMailWorker } from '@/core/mail/wake'
import { type ActionError, refuse } from '@/core/ui/action-result'
import { mayAdminister } from '../policy'

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
export async function listInvitations(_scope: SignedInScope): Promise<Invitation[]> {
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

/** A second invitation replaces the link of the first. */
export async function inviteUser(
  scope: SignedInScope,
  email: string,
): Promise<{ invited: true } | ActionError> {
  if (!invitationsEnabled()) return refuse('conflict', 'Invitations are turned off.')
  const mutation = { name: 'invite_user', authorize: mayAdminister, target: 'invitation' }
  const result = await runMutation(scope, mutation, async (transaction) => {
    const existing = await transaction.select({}).from(users).where(eq(users.email, email))
    if (existing.length > 0) {
      const message = 'This email already has an account.'
      return refuse('conflict', message, [{ field: 'email', message }])
    }
    await queueMail(transaction, { purpose: 'invitation', email })
    return { invited: true as const }
  })
  wakeMailWorker()
  return result
}

export async function cancelInvitation(
  scope: SignedInScope,
  email: string,
): Promise<{ canceled: true } | ActionError> {
  const mutation = { name: 'cancel_invitation', authorize: mayAdminister, target: 'invitation' }
  return runMutation(scope, mutation, async (transaction) => {
    // The queued email first: sending it creates a link.
    const queued = await transaction
      .delete(mailQueue)
      .where(and(eq(mailQueue.purpose, 'invitation'), eq(mailQueue.email, email)))
      .returning({ id: mailQueue.id })
    const sent = await transaction
      .delete(verificationTokens)
      .where(and(eq(verificationTokens.purpose, 'invitation'), eq(verificationTokens.email, email)))
      .returning({ email: verificationTokens.email })
    return queued.length + sent.length > 0
      ? { canceled: true as const }
      : refuse('conflict', 'This invitation was already used or canceled.')
  })
}
