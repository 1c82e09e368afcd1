'use server'

import { inArray, sql } from 'drizzle-orm'
import { record } from 'plinth/audit/record'
import { announceRevocation } from 'plinth/auth/sessions/revocation'
import type { Database } from 'plinth/db/client'
import { sessions, users } from 'plinth/db/schema'
import { mutation } from 'plinth/guard/mutation'
import type { SignedInScope } from 'plinth/guard/policy'
import { refuse } from 'plinth/universal/action-result'
import { z } from 'zod'
import { findUsersById } from '../../../data/find-user'
import type { ListedUser } from '../../../data/list-users'
import { listUrl, roleField, userIds } from '../../../fields'
import { mayAdminister } from '../../../policy'
import { roleSummary, sessionSummary } from './summary'

const rateLimit = { times: 60, seconds: 60 }

/**
 * One transaction: all of them or none. The admin's own account is left out, so that an admin
 * remains, and one slip does not end their access. Each change has its own audit event.
 */
export const updateUserRoles = mutation(
  {
    name: 'update_user_roles',
    authorize: mayAdminister,
    rateLimit,
    recentSignIn: true,
    input: z.object({ userIds, role: roleField, list: listUrl.optional() }),
    keeps: ['role'],
    lockUsers: ({ input }) => input.userIds,
    details: ({ input }) => ({ role: input.role }),
    // Before the transaction, so that it is not in the audit log as a failed change.
    prepare: async ({ scope, input: { userIds, role } }) => {
      const { changed } = split(await findUsersById(userIds), scope, role)
      return changed.length > 0 ? undefined : nothingToChange(role)
    },
    redirectTo: ({ input }) => input.list ?? '/admin/users',
  },
  async ({ tx, scope, input: { userIds, role }, notify, addDetails }) => {
    const parts = split(await findUsersById(userIds, tx), scope, role)
    const { changed } = parts
    if (changed.length === 0) return nothingToChange(role)
    const ids = changed.map(({ id }) => id)
    await tx.update(users).set({ role, updatedAt: sql`now()` }).where(inArray(users.id, ids))
    for (const user of changed) {
      const details = { from: user.role, role }
      await recordFor(tx, scope, 'update_user_role', user.id, details)
    }
    addDetails({ count: changed.length })
    const [only, ...others] = changed
    const undo = {
      action: 'update_user_role',
      fields: { userId: ids[0] ?? '', role: only?.role ?? role },
    }
    notify(roleSummary(parts, role, userIds.length), others.length === 0 ? undo : undefined)
    return { changed: changed.length }
  },
)

export const revokeSessionsOfUsers = mutation(
  {
    name: 'revoke_sessions_of_users',
    authorize: mayAdminister,
    rateLimit,
    recentSignIn: true,
    input: z.object({ userIds, list: listUrl.optional() }),
    lockUsers: ({ input }) => input.userIds,
    redirectTo: ({ input }) => input.list ?? '/admin/users',
  },
  async ({ tx, scope, input: { userIds }, notify, addDetails }) => {
    const { others, ownLeftOut } = split(await findUsersById(userIds, tx), scope)
    const ids = others.map(({ id }) => id)
    const revoked =
      ids.length > 0
        ? await tx
            .delete(sessions)
            .where(inArray(sessions.userId, ids))
            .returning({ userId: sessions.userId })
        : []
    if (revoked.length === 0) return refuse('conflict', 'None of these users is signed in.')
    const signedOut = others.filter(({ id }) => revoked.some(({ userId }) => userId === id))
    for (const { id } of signedOut) {
      await announceRevocation(tx, id)
      await recordFor(tx, scope, 'revoke_user_sessions', id)
    }
    addDetails({ count: signedOut.length })
    notify(sessionSummary(signedOut, ownLeftOut))
    return { revoked: revoked.length }
  },
)

/** The chosen users besides the caller, the ones who change, and whether the caller is left out. */
function split(chosen: readonly ListedUser[], scope: SignedInScope, role?: string) {
  const others = chosen.filter(({ id }) => id !== scope.session.user.id)
  const changed = others.filter((user) => user.role !== role)
  return { others, changed, ownLeftOut: others.length < chosen.length }
}

function nothingToChange(role: string) {
  return refuse(
    'conflict',
    `No change: the chosen users are already ${role}. Your own role is changed on your page.`,
  )
}

function recordFor(
  tx: Database,
  { session, ip, requestId }: SignedInScope,
  action: string,
  targetId: string,
  details: Record<string, string> = {},
) {
  const actorId = session.user.id
  return record(tx, { action, outcome: 'success', actorId, targetId, ip, requestId, details })
}
