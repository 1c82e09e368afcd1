'use server'

import { revokeUserSessions } from 'plinth/auth/sessions/session'
import { mutation } from 'plinth/guard/mutation'
import { changeSignIn } from 'plinth/recovery/changes'
import { refuse } from 'plinth/universal/action-result'
import { z } from 'zod'
import { afterChange } from './after-change'
import { confirmApp, deleteApp, prepareApp, setupOf } from './data/factors/authenticator-app'
import { forgetBrowser as deleteBrowser } from './data/factors/browsers'
import {
  createCodesIfNone,
  deleteFactors,
  endProtectionIfLast,
  findFactors,
  isProtected,
} from './data/factors/factors'
import { storeNoticeSetting } from './data/factors/new-device'
import { createRecoveryCodes as createCodes } from './data/factors/recovery-codes'
import { findUserEmail } from './data/overview'
import { codeField } from './fields'
import { queueNotice } from './notices'
import { mayResetFactors, mayUseSecurity } from './policy'
import { mustEnroll } from './sign-in-step'

/** All of them change what protects the account, so a stolen session alone must not be enough. */
const guarded = {
  authorize: mayUseSecurity,
  rateLimit: { times: 20, seconds: 600 },
  recentSignIn: true as const,
}

/** A thief who changes factors keeps the account, so it needs a proof that is given for it. */
const proven = {
  authorize: mayUseSecurity,
  rateLimit: { times: 20, seconds: 600 },
  proof: 'add_factor' as const,
}

const nothing = z.object({})

/** A new secret, to show as a QR code. */
export const startAuthenticatorApp = mutation(
  {
    ...proven,
    keepsProof: true,
    name: 'start_authenticator_app',
    input: z.object({ purpose: z.literal('set_up') }),
    target: ({ scope }) => scope.session.user.id,
    redirectTo: '/account/security/app',
  },
  ({ tx, scope }) => prepareApp(tx, setupOf(scope)),
)

/** Returns the recovery codes that come with the first factor. They are shown once. */
export const confirmAuthenticatorApp = mutation(
  {
    ...proven,
    changesSignIn: true,
    name: 'add_authenticator_app',
    input: z.object({ code: codeField }),
    target: ({ scope }) => scope.session.user.id,
  },
  async ({ tx, scope, input: { code } }) => {
    const { id } = scope.session.user
    if (!(await confirmApp(tx, setupOf(scope), code))) return wrongCode()
    return { codes: (await createCodesIfNone(tx, id)) ?? [] }
  },
)

function wrongCode() {
  const message = 'The code is incorrect. Check that the clock of your phone is right.'
  return refuse('invalid', undefined, [{ field: 'code', message }])
}

export const removeAuthenticatorApp = mutation(
  {
    ...proven,
    // Otherwise a thief with the password would remove the factor and then add one as the first.
    proof: 'remove_factor',
    changesSignIn: true,
    name: 'remove_authenticator_app',
    input: nothing,
    target: ({ scope }) => scope.session.user.id,
    redirectTo: afterChange,
  },
  async ({ tx, scope, notify }) => {
    const { user } = scope.session
    if (!(await deleteApp(tx, user.id))) return refuse('conflict', 'You have no authenticator app.')
    if (mustEnroll(user) && !isProtected(await findFactors(user.id, tx))) return lastFactor()
    await endProtectionIfLast(tx, user.id)
    notify('Authenticator app removed.')
    return undefined
  },
)

function lastFactor() {
  return refuse('conflict', 'Your account needs a second factor. Add another one first.')
}

/** Replaces all codes. They are shown once. */
export const createRecoveryCodes = mutation(
  {
    ...proven,
    changesSignIn: true,
    name: 'create_recovery_codes',
    input: nothing,
    target: ({ scope }) => scope.session.user.id,
  },
  async ({ tx, scope }) => {
    const { id } = scope.session.user
    if (!isProtected(await findFactors(id, tx))) {
      return refuse('conflict', 'Recovery codes need an authenticator app or a passkey.')
    }
    return { codes: await createCodes(tx, id) }
  },
)

/** Offered after a change of factors: a thief who is signed in stays so otherwise. */
export const endOtherSessions = mutation(
  {
    name: 'end_other_sessions',
    authorize: mayUseSecurity,
    rateLimit: { times: 60, seconds: 60 },
    input: nothing,
    target: ({ scope }) => scope.session.user.id,
    redirectTo: '/account/security',
  },
  async ({ tx, scope: { session }, notify }) => {
    const revoked = await revokeUserSessions(tx, session.user.id, session.id)
    notify('Your other sessions were revoked, and remembered browsers forgotten.')
    return { revoked }
  },
)

export const forgetBrowser = mutation(
  {
    name: 'forget_browser',
    authorize: mayUseSecurity,
    rateLimit: { times: 60, seconds: 60 },
    input: z.object({ browserId: z.uuid() }),
    target: ({ scope }) => scope.session.user.id,
    redirectTo: '/account/security',
  },
  async ({ tx, scope, input: { browserId }, notify }) => {
    if (!(await deleteBrowser(tx, scope.session.user.id, browserId))) return refuse('not_found')
    notify('The browser needs your second factor at the next sign-in.')
    return undefined
  },
)

/** A thief would turn them off first. */
export const updateNotices = mutation(
  {
    ...guarded,
    name: 'update_notices',
    input: z.object({ newDevice: z.boolean() }),
    target: ({ scope }) => scope.session.user.id,
    redirectTo: '/account/security',
  },
  async ({ tx, scope, input: { newDevice }, notify }) => {
    await storeNoticeSetting(tx, scope.session.user.id, newDevice)
    notify('Notices saved.')
    return { newDevice }
  },
)

/** For a user who has lost them. A password alone signs in until they set up others. */
export const resetUserFactors = mutation(
  {
    name: 'reset_user_factors',
    authorize: mayResetFactors,
    rateLimit: { times: 20, seconds: 600 },
    recentSignIn: true,
    input: z.object({ userId: z.uuid() }),
    target: ({ input }) => input.userId,
    lockUsers: ({ input }) => [input.userId],
    redirectTo: ({ input }) => `/security/users/${input.userId}`,
  },
  async ({ tx, input: { userId }, notify }) => {
    const email = await findUserEmail(tx, userId)
    if (email === undefined) return refuse('not_found')
    const deleted = await changeSignIn(tx, { userId, by: 'admin' }, () => deleteFactors(tx, userId))
    if (!deleted) return refuse('conflict', 'This user has no second factor.')
    await revokeUserSessions(tx, userId)
    await queueNotice(tx, email, { kind: 'factors_reset' })
    notify(`Second factors of ${email} removed.`)
    return { userId }
  },
)
