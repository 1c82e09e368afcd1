'use server'

import { and, eq, sql } from 'drizzle-orm'
import { nameField, normalizeEmail } from 'plinth/auth/accounts/fields'
import { configuredProviderIds, providerName } from 'plinth/auth/oauth/configured-providers'
import { encodeSessionCursor, sessionCursorField } from 'plinth/auth/sessions/list'
import { clearActionSessionCookie } from 'plinth/auth/sessions/next-session'
import { revokeUserSessions } from 'plinth/auth/sessions/session'
import { accounts, sessions, users } from 'plinth/db/schema'
import { factorIn, mutation } from 'plinth/guard/mutation'
import type { SignedInScope } from 'plinth/guard/policy'
import { deleteOwnAccount } from 'plinth/recovery/deletion'
import { refuse } from 'plinth/universal/action-result'
import { deviceOf } from 'plinth/universal/device'
import { urlWith } from 'plinth/universal/url'
import { z } from 'zod'
import { readSignInMethods } from './data/sign-in-methods'
import { confirmationField, currentPasswordField, providerField, sessionId } from './fields'
import { mayUseAccount } from './policy'
import { canUnlink } from './sign-in-methods'

const rateLimit = { times: 60, seconds: 60 }

const ownUser = ({ scope }: { scope: SignedInScope }) => scope.session.user.id

export const updateProfile = mutation(
  {
    name: 'update_profile',
    authorize: mayUseAccount,
    rateLimit,
    input: z.object({ name: nameField }),
    keeps: ['name'],
    target: ownUser,
    redirectTo: '/account',
  },
  async ({ tx, scope, input: { name }, notify }) => {
    const { id } = scope.session.user
    await tx.update(users).set({ name, updatedAt: sql`now()` }).where(eq(users.id, id))
    notify('Profile saved.')
    return { name }
  },
)

/** Another user's session id is treated as one that does not exist. */
export const revokeSession = mutation(
  {
    name: 'revoke_session',
    authorize: mayUseAccount,
    rateLimit,
    // The page of the list, to lead back to it.
    input: z.object({ sessionId, sessions: sessionCursorField.optional() }),
    target: ({ input }) => input.sessionId,
    redirectTo: ({ input: { sessions: cursor } }) =>
      urlWith('/account/sessions', { sessions: cursor && encodeSessionCursor(cursor) }),
  },
  async ({ tx, scope: { session }, input: { sessionId }, notify }) => {
    if (sessionId === session.id) {
      return refuse('conflict', 'You are using this session. To end it, sign out.')
    }
    const [revoked] = await tx
      .delete(sessions)
      .where(and(eq(sessions.id, sessionId), eq(sessions.userId, session.user.id)))
      .returning({ userAgent: sessions.userAgent })
    if (!revoked) return refuse('conflict', 'This session has already ended.')
    notify(`Session revoked: ${deviceOf(revoked.userAgent ?? undefined)}.`)
    return { revoked: 1 }
  },
)

export const revokeOtherSessions = mutation(
  {
    name: 'revoke_other_sessions',
    authorize: mayUseAccount,
    rateLimit,
    input: z.object({}),
    target: ownUser,
    redirectTo: '/account/sessions',
  },
  async ({ tx, scope: { session }, notify }) => {
    const revoked = await revokeUserSessions(tx, session.user.id, session.id)
    notify('All other sessions revoked.')
    return { revoked }
  },
)

/**
 * Refuses to remove the last sign-in method. The user's row is locked, so of two concurrent calls
 * the second sees the result of the first.
 */
export const unlinkAccount = mutation(
  {
    changesSignIn: true,
    name: 'unlink_account',
    authorize: mayUseAccount,
    rateLimit,
    recentSignIn: true,
    input: z.object({ provider: providerField }),
    target: ownUser,
    details: ({ input }) => ({ by: input.provider }),
    redirectTo: '/account/connected',
  },
  async ({ tx, scope, input: { provider }, notify }) => {
    const { id } = scope.session.user
    const { password, linkedAt } = await readSignInMethods(tx, id)
    if (!linkedAt.has(provider)) {
      return refuse('conflict', 'This provider is no longer linked to your account.')
    }
    const methods = { password, linked: [...linkedAt.keys()] }
    if (!canUnlink(provider, methods, configuredProviderIds())) {
      return refuse(
        'conflict',
        'This is your only sign-in method. Set a password before you unlink it.',
      )
    }
    const isOwn = and(eq(accounts.userId, id), eq(accounts.provider, provider))
    await tx.delete(accounts).where(isOwn)
    notify(`${providerName(provider)} unlinked. You can no longer use it to sign in.`)
    return { unlinked: provider }
  },
)

/** The database refuses to delete the last admin. */
export const deleteAccount = mutation(
  {
    name: 'delete_account',
    authorize: mayUseAccount,
    // It hashes a password.
    rateLimit: { times: 30, seconds: 600 },
    // Without a second factor, `currentPassword` is the proof.
    proof: 'delete_account',
    input: z.object({
      confirmation: confirmationField,
      currentPassword: currentPasswordField.optional(),
    }),
    keeps: ['confirmation'],
    target: ownUser,
    prepare: ({ scope, input: { confirmation } }) => {
      if (normalizeEmail(confirmation) === scope.session.user.email) return undefined
      const message = 'The email does not match your account.'
      return refuse('invalid', undefined, [{ field: 'confirmation', message }])
    },
    redirectTo: '/account/deleted',
  },
  async ({ tx, scope, provedBy, addDetails }) => {
    const { id } = scope.session.user
    const { deleted, isFinal } = await deleteOwnAccount(tx, id, factorIn(provedBy))
    if (!isFinal) addDetails({ recoverable: true })
    return { deleted }
  },
  async ({ result, scope }) => {
    if (!scope.bearer) await clearActionSessionCookie()
    return result
  },
)
