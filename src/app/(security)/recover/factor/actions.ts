'use server'

import { redirect } from 'next/navigation'
import { action } from 'plinth/guard/action'
import { deny } from 'plinth/guard/authorize'
import { anyone } from 'plinth/guard/policy'
import { actionRateLimited } from 'plinth/guard/rate-limited'
import type { Scope } from 'plinth/http/scope'
import { recognizeBrowser } from 'plinth/recovery/browser'
import { storeRecoveryProof } from 'plinth/recovery/follow-link'
import { refuse } from 'plinth/universal/action-result'
import { urlWith } from 'plinth/universal/url'
import { z } from 'zod'
import {
  type Judge,
  judgeAppCode,
  judgePasskey,
  judgeRecoveryCode,
  tryRecoveryProof,
} from '../../data/factors/recovery-proofs'
import { codeField, recoveryCodeField, signInCredential } from '../../fields'

const token = z.string().max(100)

const guarded = { authorize: anyone, rateLimit: { times: 30, seconds: 600 } }

/** The app that the account had before the changes, also one that was removed since. */
export const proveRecoveryWithApp = action(
  {
    ...guarded,
    name: 'prove_recovery_with_app',
    input: z.object({ token, code: codeField }),
  },
  ({ scope, input: { token, code } }) =>
    proveWithCode(scope, { token, kind: 'app', judge: judgeAppCode(code) }),
)

export const proveRecoveryWithCode = action(
  {
    ...guarded,
    name: 'prove_recovery_with_code',
    input: z.object({ token, code: recoveryCodeField }),
  },
  ({ scope, input: { token, code } }) =>
    proveWithCode(scope, { token, kind: 'codes', judge: judgeRecoveryCode(code) }),
)

type CodeProof = { token: string; kind: 'app' | 'codes'; judge: Judge }

async function proveWithCode(scope: Scope, proof: CodeProof) {
  const tried = await tryRecoveryProof(scope, { ...proof, browser: await recognizeBrowser() })
  if (typeof tried === 'object') {
    await deny(scope, 'prove_to_recover', 'rate_limited')
    return actionRateLimited(tried.refused)
  }
  if (tried) return redirect(pageOf(proof.token))
  const message = 'The code is incorrect, was already used, or is newer than the changes.'
  return refuse('invalid', undefined, [{ field: 'code', message }])
}

export const proveRecoveryWithPasskey = action(
  {
    ...guarded,
    name: 'prove_recovery_with_passkey',
    input: z.object({ token, credential: signInCredential }),
  },
  async ({ scope, input: { token, credential } }) => {
    const proving = { token, browser: await recognizeBrowser(), kind: 'passkey' as const }
    const judge = await judgePasskey(token, credential)
    if (await storeRecoveryProof(scope, proving, judge)) return redirect(pageOf(token))
    return refuse(
      'conflict',
      'This is not a passkey that the account had before the changes. Try another one.',
    )
  },
)

const pageOf = (token: string) => urlWith('/recover', { token })
