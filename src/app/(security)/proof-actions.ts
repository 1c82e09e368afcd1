'use server'

import { changes } from 'plinth/auth/accounts/change-proofs'
import { signOut } from 'plinth/auth/sessions/session'
import { database } from 'plinth/db/client'
import { deny } from 'plinth/guard/authorize'
import { findConfirmation, finishProof, storeProof } from 'plinth/guard/change-proof'
import { mutation } from 'plinth/guard/mutation'
import type { SignedInScope } from 'plinth/guard/policy'
import { actionRateLimited } from 'plinth/guard/rate-limited'
import { checkRateLimit, resetUses } from 'plinth/rate-limits/rate-limit'
import { refuse } from 'plinth/universal/action-result'
import { z } from 'zod'
import { limitsOf, proveCode } from './data/factors/complete-sign-in'
import { listFactors } from './data/factors/factors'
import { provePasskey } from './data/factors/passkey-sign-in'
import { codeField, recoveryCodeField, signInCredential } from './fields'
import { queueNotice } from './notices'
import { mayUseSecurity } from './policy'

const guarded = {
  authorize: mayUseSecurity,
  rateLimit: { times: 30, seconds: 600 },
  target: ({ scope }: { scope: SignedInScope }) => scope.session.user.id,
  details: ({ input: { change } }: { input: { change: string } }) => ({ change }),
}

const requested = { change: z.enum(changes), callbackUrl: z.string().max(2000).optional() }

export const proveWithApp = mutation(
  {
    ...guarded,
    name: 'prove_with_app',
    input: z.object({ ...requested, code: codeField }),
    prepare: ({ scope }) => limitCodes(scope, 'prove_with_app'),
  },
  async ({ tx, scope, input }) => {
    const { user } = scope.session
    if (!(await proveCode.totp(input.code)(tx, user))) return wrongCode()
    const app = (await listFactors(tx, user.id)).find(({ kind }) => kind === 'app')
    return app ? storeProof(tx, scope, input, app) : wrongCode()
  },
  async (done) => {
    await resetLimits(done.scope)
    return finishProof(done)
  },
)

export const proveWithPasskey = mutation(
  {
    ...guarded,
    name: 'prove_with_passkey',
    input: z.object({ ...requested, credential: signInCredential }),
    prepare: ({ input: { credential } }) => provePasskey(credential),
  },
  async ({ tx, scope, prepared: prove, input }) => {
    if (!(await prove(tx, scope.session.user))) {
      return refuse('conflict', 'This passkey is not one of your account. Try another one.')
    }
    return storeProof(tx, scope, input, { kind: 'passkey', methodId: input.credential.id })
  },
  finishProof,
)

/** After the first proof, without which a found code must not be tried or used up. */
export const proveWithRecoveryCode = mutation(
  {
    ...guarded,
    name: 'prove_with_recovery_code',
    input: z.object({ ...requested, code: recoveryCodeField }),
    prepare: ({ scope }) => limitCodes(scope, 'prove_with_recovery_code'),
  },
  async ({ tx, scope, input }) => {
    const { hasFirstProof } = await findConfirmation(scope, input.change, tx)
    if (!hasFirstProof) return refuse('conflict', firstProofMissing)
    if (!(await proveCode.recovery_code(input.code)(tx, scope.session.user))) return wrongCode()
    return storeProof(tx, scope, input, { kind: 'recovery_code' })
  },
  async (done) => {
    await resetLimits(done.scope)
    return finishProof(done)
  },
)

const firstProofMissing =
  'A recovery code alone is not enough. Confirm with your password or email first.'

function wrongCode() {
  const message = 'The code is incorrect or was already used.'
  return refuse('invalid', undefined, [{ field: 'code', message }])
}

/** As many as a sign-in has. */
const triesOfSession = { times: 5, seconds: 24 * 60 * 60 }

/**
 * A thief needs no password to guess here, so a session that guesses ends. The limits of a sign-in
 * count too, so that guesses here and there count together.
 */
async function limitCodes(scope: SignedInScope, action: string) {
  const tries = await checkRateLimit('factor-proofs', triesOfSession, scope.session.id)
  if (!tries.allowed) {
    await deny(scope, action, 'rate_limited')
    await endGuessing(scope)
    return refuse('unauthenticated', 'Too many wrong codes. You were signed out. Sign in again.')
  }
  for (const { name, rateLimit, key } of limitsOf(scope, scope.session.user)) {
    const result = await checkRateLimit(name, rateLimit, key)
    if (result.allowed) continue
    await deny(scope, action, 'rate_limited')
    return actionRateLimited(result)
  }
  return undefined
}

async function endGuessing(scope: SignedInScope): Promise<void> {
  await database().transaction((tx) =>
    queueNotice(tx, scope.session.user.email, { kind: 'proofs_failed' }),
  )
  await signOut(scope)
}

async function resetLimits(scope: SignedInScope): Promise<void> {
  for (const limit of limitsOf(scope, scope.session.user)) await resetUses(limit)
}
