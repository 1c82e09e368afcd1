'use server'

import { redirect } from 'next/navigation'
import { finishSignIn } from 'plinth/auth/sessions/next-session'
import { replaceSession } from 'plinth/auth/sessions/session'
import { mutation } from 'plinth/guard/mutation'
import { refuse } from 'plinth/universal/action-result'
import { deviceOf } from 'plinth/universal/device'
import { z } from 'zod'
import { afterChange } from './after-change'
import {
  createCodesIfNone,
  endProtectionIfLast,
  findFactors,
  isProtected,
} from './data/factors/factors'
import { provePasskey } from './data/factors/passkey-sign-in'
import {
  createRegistrationOptions,
  deletePasskey,
  storePasskey,
  storePasskeyName,
  verifyRegistration,
} from './data/factors/passkeys'
import {
  passkeyIdField,
  passkeyNameField,
  registrationCredential,
  signInCredential,
} from './fields'
import { mayUseSecurity } from './policy'
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

/** Returns what the browser needs to create a passkey. */
export const startPasskey = mutation(
  {
    ...proven,
    keepsProof: true,
    name: 'start_passkey',
    // Checked before the device creates a passkey of that name.
    input: z.object({ name: passkeyNameField.optional() }),
    target: ({ scope }) => scope.session.user.id,
  },
  ({ tx, scope }) => createRegistrationOptions(tx, scope.session.user),
)

/** Returns the recovery codes that come with the first factor. They are shown once. */
export const addPasskey = mutation(
  {
    ...proven,
    changesSignIn: true,
    name: 'add_passkey',
    input: z.object({ credential: registrationCredential, name: passkeyNameField.optional() }),
    target: ({ scope }) => scope.session.user.id,
    prepare: async ({ scope, input: { credential } }) => ({
      registration: await verifyRegistration(scope.session.user.id, credential),
    }),
  },
  async ({ tx, scope, prepared: { registration }, input }) => {
    const { id } = scope.session.user
    const { name = deviceOf(scope.userAgent) } = input
    if (!registration) return refuse('conflict', 'The passkey was not accepted. Try again.')
    if (!(await storePasskey(tx, id, { ...registration, name }))) {
      return refuse('conflict', 'This passkey exists already, or you have too many.')
    }
    return { codes: (await createCodesIfNone(tx, id)) ?? [] }
  },
)

export const renamePasskey = mutation(
  {
    ...guarded,
    name: 'rename_passkey',
    input: z.object({ passkeyId: passkeyIdField, name: passkeyNameField }),
    keeps: ['name'],
    target: ({ scope }) => scope.session.user.id,
    redirectTo: '/account/security',
  },
  async ({ tx, scope, input: { passkeyId: id, name }, notify }) => {
    if (!(await storePasskeyName(tx, scope.session.user.id, { id, name }))) {
      return refuse('not_found')
    }
    notify(`Passkey renamed to “${name}”.`)
    return undefined
  },
)

export const removePasskey = mutation(
  {
    ...proven,
    proof: 'remove_factor',
    changesSignIn: true,
    name: 'remove_passkey',
    input: z.object({ passkeyId: passkeyIdField }),
    target: ({ scope }) => scope.session.user.id,
    redirectTo: afterChange,
  },
  async ({ tx, scope, input: { passkeyId }, notify }) => {
    const { user } = scope.session
    const name = await deletePasskey(tx, user.id, passkeyId)
    if (name === undefined) return refuse('not_found')
    if (mustEnroll(user) && !isProtected(await findFactors(user.id, tx))) {
      return refuse('conflict', 'Your account needs a second factor. Add another one first.')
    }
    await endProtectionIfLast(tx, user.id)
    notify(`Passkey “${name}” removed.`)
    return undefined
  },
)

/**
 * Like a sign-in, it creates a new token and ends the session of the old one: a thief who holds the
 * old token must not gain by it.
 */
export const confirmWithPasskey = mutation(
  {
    name: 'confirm_with_passkey',
    authorize: mayUseSecurity,
    rateLimit: { times: 30, seconds: 600 },
    input: z.object({
      credential: signInCredential,
      callbackUrl: z.string().max(2000).optional(),
    }),
    target: ({ scope }) => scope.session.user.id,
    prepare: ({ input: { credential } }) => provePasskey(credential),
  },
  async ({ tx, scope, prepared: prove, input: { callbackUrl } }) => {
    const { user } = scope.session
    if (!(await prove(tx, user))) {
      return refuse('conflict', 'This passkey is not one of your account. Try another one.')
    }
    return { created: await replaceSession(tx, scope, user, { by: 'passkey' }), callbackUrl }
  },
  async ({ result: { created, callbackUrl }, scope }) => {
    if (!scope.bearer) redirect(await finishSignIn(created, callbackUrl))
    return { token: created.token }
  },
)
