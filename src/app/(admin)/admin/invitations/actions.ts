'use server'

import { and, eq } from 'drizzle-orm'
import { emailField } from 'plinth/auth/accounts/fields'
import { mailQueue, verificationTokens } from 'plinth/db/schema'
import { mutation } from 'plinth/guard/mutation'
import { refuse } from 'plinth/universal/action-result'
import { urlWith } from 'plinth/universal/url'
import { z } from 'zod'
import { addressesField } from '../../addresses'
import {
  encodeInvitationCursor,
  invitationCursorField,
  invitationsEnabled,
} from '../../data/invitations'
import { findInvitation, invite } from '../../data/invite'
import { confirmedField, roleField } from '../../fields'
import { mayAdminister } from '../../policy'
import { notSent, sentText } from './invitation-texts'

/** A thief with the cookie of an old sign-in could invite themselves as an admin. */
const recentSignIn = true

/** Each call can send 50 messages. */
const inviteLimit = { times: 20, seconds: 600 }

const rateLimit = { times: 120, seconds: 60 }

/**
 * Invites those that can be invited and returns the others with the reason. It does not redirect: what
 * is typed while it runs stays.
 */
export const inviteUsers = mutation(
  {
    name: 'invite_user',
    authorize: mayAdminister,
    rateLimit: inviteLimit,
    recentSignIn,
    input: z.object({
      emails: addressesField,
      role: roleField.default('viewer'),
      confirmed: confirmedField,
    }),
    keeps: ['emails', 'role'],
    target: () => 'invitation',
    details: ({ input }) => ({ role: input.role }),
    prepare: ({ input: { role, confirmed } }) => {
      if (!invitationsEnabled()) return invitationsOff()
      if (role !== 'admin' || confirmed) return undefined
      const message = 'Confirm that these users become admins.'
      return refuse('invalid', message, [{ field: 'confirmed', message }])
    },
  },
  async ({ tx, newId, input: { emails, role }, addDetails }) => {
    const { sent, rejected } = await invite(tx, emails, role)
    if (sent.length === 0) {
      const message = notSent(rejected)
      return refuse('conflict', message, [{ field: 'emails', message }])
    }
    addDetails({ count: sent.length })
    return { id: newId, text: sentText(sent, role), sent, rejected }
  },
)

/** The new link replaces the old one when it is sent. */
export const resendInvitation = mutation(
  {
    name: 'resend_invitation',
    authorize: mayAdminister,
    rateLimit,
    recentSignIn,
    // The page of the list, to lead back to it.
    input: z.object({ email: emailField, cursor: invitationCursorField.optional() }),
    target: () => 'invitation',
    redirectTo: ({ input }) => listPage(input),
  },
  async ({ tx, input: { email }, notify }) => {
    if (!invitationsEnabled()) return invitationsOff()
    const invitation = await findInvitation(tx, email)
    if (!invitation) return refuse('conflict', alreadyOver)
    if (invitation.isFresh) {
      return refuse(
        'rate_limited',
        'This invitation was sent less than a minute ago. Wait, then send it again.',
      )
    }
    const { sent, rejected } = await invite(tx, { valid: [email], rejected: [] }, invitation.role)
    if (sent.length === 0) return refuse('conflict', notSent(rejected))
    notify(`Invitation sent again to ${email}.`)
    return { sent: true }
  },
)

export const cancelInvitation = mutation(
  {
    name: 'cancel_invitation',
    authorize: mayAdminister,
    rateLimit,
    input: z.object({ email: emailField, cursor: invitationCursorField.optional() }),
    target: () => 'invitation',
    redirectTo: ({ input }) => listPage(input),
  },
  async ({ tx, input: { email }, notify }) => {
    // The queued email first: sending it creates a link.
    const queued = await tx
      .delete(mailQueue)
      .where(and(eq(mailQueue.purpose, 'invitation'), eq(mailQueue.email, email)))
      .returning({ id: mailQueue.id })
    const sent = await tx
      .delete(verificationTokens)
      .where(and(eq(verificationTokens.purpose, 'invitation'), eq(verificationTokens.email, email)))
      .returning({ email: verificationTokens.email })
    if (queued.length + sent.length === 0) return refuse('conflict', alreadyOver)
    notify(`Invitation of ${email} canceled. Its link no longer works.`)
    return { canceled: true }
  },
)

const alreadyOver = 'This invitation was already used or canceled.'

const invitationsOff = () => refuse('conflict', 'Invitations are turned off.')

function listPage({
  cursor,
}: {
  cursor?: Parameters<typeof encodeInvitationCursor>[0] | undefined
}) {
  return urlWith('/admin/invitations', { cursor: cursor && encodeInvitationCursor(cursor) })
}
