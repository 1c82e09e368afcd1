import 'server-only'
import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { database } from '@/core/db/client'
import { mailQueue, users, verificationTokens } from '@/core/db/schema'
import { env } from '@/core/env'
import { type Refusal, refuse } from '@/core/guard/action-result'
import { change } from '@/core/guard/change'
import type { SignedInScope } from '@/core/guard/policy'
import { queueMail } from '@/core/mail/queue'
import { sendSoon } from '@/core/mail/wake'
import { mayAdminister } from '../policy'

export type Invitation = {
  email: string
  invitedAt: Date
  /** Undefined while the message waits to be sent: the link is made with it. */
  expiresAt: Date | undefined
}

/** Whether an invitation would lead to anything. */
export function invitationsWork(): boolean {
  return env().SIGN_UP === 'invite'
}

/** Those that were sent and not used, and those on their way; the newest two hundred of each. */
export async function listInvitations(_scope: SignedInScope): Promise<Invitation[]> {
  const [waiting, sent] = await Promise.all([
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
  for (const one of waiting) all.set(one.email, { ...one, expiresAt: undefined })
  for (const one of sent) all.set(one.email, one)
  return [...all.values()].sort((a, b) => b.invitedAt.getTime() - a.invitedAt.getTime())
}

/** Invited again, somebody gets a new link, and the one before it no longer works. */
export async function invite(
  scope: SignedInScope,
  email: string,
): Promise<{ invited: true } | Refusal> {
  if (!invitationsWork()) return refuse('conflict', 'Invitations are switched off here.')
  const declared = { name: 'invite', who: mayAdminister, target: 'invitation' }
  const result = await change(scope, declared, async (transaction) => {
    const known = await transaction.select({}).from(users).where(eq(users.email, email))
    if (known.length > 0) {
      const message = 'This address has an account already.'
      return refuse('conflict', message, [{ field: 'email', message }])
    }
    await queueMail(transaction, { purpose: 'invitation', email })
    return { invited: true as const }
  })
  sendSoon()
  return result
}

export async function withdrawInvitation(
  scope: SignedInScope,
  email: string,
): Promise<{ withdrawn: true } | Refusal> {
  const declared = { name: 'withdraw_invitation', who: mayAdminister, target: 'invitation' }
  return change(scope, declared, async (transaction) => {
    // First what would still make a link, then the link.
    const waiting = await transaction
      .delete(mailQueue)
      .where(and(eq(mailQueue.purpose, 'invitation'), eq(mailQueue.email, email)))
      .returning({ id: mailQueue.id })
    const sent = await transaction
      .delete(verificationTokens)
      .where(and(eq(verificationTokens.purpose, 'invitation'), eq(verificationTokens.email, email)))
      .returning({ email: verificationTokens.email })
    return waiting.length + sent.length > 0
      ? { withdrawn: true as const }
      : refuse('conflict', 'This invitation was used or withdrawn already.')
  })
}
