'use server'

import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { emailField } from '@/core/auth/accounts/fields'
import { mailQueue, users, verificationTokens } from '@/core/db/schema'
import { mutation } from '@/core/guard/mutation'
import { queueMail } from '@/core/mail/queue'
import { refuse } from '@/core/ui/action-result'
import { urlWith } from '@/core/ui/url'
import {
  encodeInvitationCursor,
  invitationCursorField,
  invitationsEnabled,
} from '../../data/invitations'
import { mayAdminister } from '../../policy'

const rateLimit = { times: 120, seconds: 60 }

/** A second invitation replaces the link of the first. */
export const inviteUser = mutation(
  {
    name: 'invite_user',
    authorize: mayAdminister,
    rateLimit,
    input: z.object({ email: emailField }),
    keeps: ['email'],
    target: () => 'invitation',
    redirectTo: '/admin/invitations?done=invitation_sent',
  },
  async ({ tx, input: { email } }) => {
    if (!invitationsEnabled()) return refuse('conflict', 'Invitations are turned off.')
    const existing = await tx.select({}).from(users).where(eq(users.email, email))
    if (existing.length > 0) {
      const message = 'This email already has an account.'
      return refuse('conflict', message, [{ field: 'email', message }])
    }
    await queueMail(tx, { purpose: 'invitation', email })
    return { invited: true }
  },
)

export const cancelInvitation = mutation(
  {
    name: 'cancel_invitation',
    authorize: mayAdminister,
    rateLimit,
    // The page of the list, to lead back to it.
    input: z.object({ email: emailField, cursor: invitationCursorField.optional() }),
    target: () => 'invitation',
    redirectTo: ({ input: { cursor } }) =>
      urlWith('/admin/invitations', {
        cursor: cursor && encodeInvitationCursor(cursor),
        done: 'invitation_canceled',
      }),
  },
  async ({ tx, input: { email } }) => {
    // The queued email first: sending it creates a link.
    const queued = await tx
      .delete(mailQueue)
      .where(and(eq(mailQueue.purpose, 'invitation'), eq(mailQueue.email, email)))
      .returning({ id: mailQueue.id })
    const sent = await tx
      .delete(verificationTokens)
      .where(and(eq(verificationTokens.purpose, 'invitation'), eq(verificationTokens.email, email)))
      .returning({ email: verificationTokens.email })
    return queued.length + sent.length > 0
      ? { canceled: true }
      : refuse('conflict', 'This invitation was already used or canceled.')
  },
)
