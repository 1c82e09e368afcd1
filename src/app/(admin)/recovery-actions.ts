'use server'

import { mutation } from 'plinth/guard/mutation'
import { allowRecovery, openRecoveryFor, rejectRecovery } from 'plinth/recovery/decide'
import { reviewRecovery } from 'plinth/recovery/review'
import { refuse } from 'plinth/universal/action-result'
import { z } from 'zod'
import { findUsersById } from './data/find-user'
import { userId } from './fields'
import { mayAdminister } from './policy'

const rateLimit = { times: 120, seconds: 60 }

const pageOf = ({ input }: { input: { userId: string } }) => `/admin/users/${input.userId}/recovery`

/** Freezes the account. Its owner may have lost the mail with the link. */
export const openUserRecovery = mutation(
  {
    name: 'open_user_recovery',
    authorize: mayAdminister,
    rateLimit,
    recentSignIn: true,
    input: z.object({ userId }),
    target: ({ input }) => input.userId,
    lockUsers: ({ input }) => [input.userId],
    redirectTo: pageOf,
  },
  async ({ tx, scope, input: { userId }, notify }) => {
    if (userId === scope.session.user.id) {
      return refuse(
        'conflict',
        'You cannot freeze your own account here. Use the link in the email about the change.',
      )
    }
    const { recovery, emails } = await reviewRecovery(tx, userId)
    if (recovery) return refuse('conflict', 'This account is already frozen.')
    if (emails.length === 0 || !(await openRecoveryFor(tx, userId))) {
      return refuse(
        'conflict',
        'No change of this account can be taken back. You can revoke its sessions and remove its second factors; the user can reset the password.',
      )
    }
    const [user] = await findUsersById([userId], tx)
    notify(`Account of ${user?.name ?? emails[0]} frozen. Its emails were told.`)
    return { opened: true }
  },
)

/** The reader of this email completes the recovery with the link that is sent there. */
export const allowUserRecovery = mutation(
  {
    name: 'allow_recovery',
    authorize: mayAdminister,
    rateLimit,
    recentSignIn: true,
    input: z.object({ userId, email: z.string().max(254) }),
    target: ({ input }) => input.userId,
    lockUsers: ({ input }) => [input.userId],
    redirectTo: pageOf,
  },
  async ({ tx, input: { userId, email }, notify, addDetails }) => {
    const { emails } = await reviewRecovery(tx, userId)
    if (!(await allowRecovery(tx, userId, email))) return notOpen()
    addDetails({ email: emails[0] === email ? 'earlier' : 'later' })
    notify(`${email} can take back the account now. We sent a link there.`)
    return { allowed: true }
  },
)

export const rejectUserRecovery = mutation(
  {
    name: 'reject_recovery',
    authorize: mayAdminister,
    rateLimit,
    recentSignIn: true,
    input: z.object({ userId }),
    target: ({ input }) => input.userId,
    lockUsers: ({ input }) => [input.userId],
    redirectTo: pageOf,
  },
  async ({ tx, input: { userId }, notify }) => {
    if (!(await rejectRecovery(tx, userId))) return notOpen()
    notify('Recovery rejected. The account is no longer frozen.')
    return { rejected: true }
  },
)

const notOpen = () =>
  refuse('conflict', 'The recovery has ended, or this email is not a part of it. Reload the page.')
