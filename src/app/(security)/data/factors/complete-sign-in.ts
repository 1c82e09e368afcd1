import 'server-only'
import { record } from 'plinth/audit/record'
import { type NewSession, replaceSession } from 'plinth/auth/sessions/session'
import { announceSignIn } from 'plinth/auth/sessions/steps'
import { type Database, database } from 'plinth/db/client'
import type { Scope, SessionUser } from 'plinth/http/scope'
import { deviceId, knownDevice, rememberAccount } from 'plinth/rate-limits/known-devices'
import {
  checkRateLimit,
  type Limit,
  type RateLimitResult,
  resetUses,
} from 'plinth/rate-limits/rate-limit'
import { queueNotice } from '../../notices'
import { verifyCode } from './authenticator-app'
import { rememberBrowser } from './browsers'
import { type Challenge, consumeChallenge, lockUser, tryChallenge } from './challenges'
import type { Method } from './factors'
import { consumeRecoveryCode } from './recovery-codes'

/** Whether the user has proved the factor. In the transaction that creates the session. */
export type ProveFactor = (transaction: Database, user: SessionUser) => Promise<boolean>

export type Completion = {
  challenge: string
  method: Method
  prove: ProveFactor
  rememberBrowser: boolean
}

export type Completed =
  | { session: NewSession }
  | { error: 'invalid_code' | 'sign_in_expired' }
  | { refused: RateLimitResult }

export const proveCode: Record<'totp' | 'recovery_code', (code: string) => ProveFactor> = {
  totp: (code) => (transaction, user) => verifyCode(transaction, user.id, code),
  recovery_code: (code) => async (transaction, user) => {
    const left = await consumeRecoveryCode(transaction, user.id, code)
    if (left === undefined) return false
    await queueNotice(transaction, user.email, { kind: 'code_used', left })
    return true
  },
}

/** The second step of a sign-in. A wrong code counts as a try and changes nothing else. */
export async function completeSignIn(scope: Scope, completion: Completion): Promise<Completed> {
  const challenge = await tryChallenge(completion.challenge)
  if (!challenge) {
    await recordFailure(scope, undefined, completion.method, 'expired')
    return { error: 'sign_in_expired' }
  }
  const limits = limitsOf(scope, challenge.user)
  for (const { name, rateLimit, key } of limits) {
    const result = await checkRateLimit(name, rateLimit, key)
    if (result.allowed) continue
    await recordFailure(scope, challenge, completion.method, 'rate_limited')
    return { refused: result }
  }
  const created = await createSession(scope, challenge, completion)
  if (!created) {
    const reason = completion.method === 'passkey' ? 'wrong_passkey' : 'wrong_code'
    await recordFailure(scope, challenge, completion.method, reason)
    if (challenge.triesLeft === 0) await warnOwner(challenge)
    return { error: 'invalid_code' }
  }
  for (const limit of limits) await resetUses(limit)
  return { session: created }
}

/** Undefined if the factor was not proved, or if another request has used the challenge. */
function createSession(
  scope: Scope,
  { user, provedBy }: Challenge,
  completion: Completion,
): Promise<NewSession | undefined> {
  const { challenge, method, prove } = completion
  return database()
    .transaction(async (transaction) => {
      await lockUser(transaction, user.id)
      if (!(await consumeChallenge(transaction, challenge))) throw notProved
      if (!(await prove(transaction, user))) throw notProved
      await announceSignIn(transaction, scope, user)
      const created = await replaceSession(transaction, scope, user, { by: provedBy })
      await recordSignIn(transaction, scope, user, { by: provedBy, with: method })
      if (!completion.rememberBrowser) return created
      const device = rememberAccount(scope.device, user.email)
      await rememberBrowser(transaction, scope, user.id, deviceId(device))
      return { ...created, device }
    })
    .catch((error) => {
      if (error === notProved) return undefined
      throw error
    })
}

/** Thrown to roll the transaction back. */
export const notProved = new Error('The second factor was not proved.')

export function recordSignIn(
  transaction: Database,
  { ip, requestId }: Scope,
  { id }: SessionUser,
  details: Record<string, string>,
): Promise<void> {
  const event = { action: 'sign_in', outcome: 'success' as const, actorId: id, targetId: id }
  return record(transaction, { ...event, ip, requestId, details })
}

export function recordFailure(
  { ip, requestId }: Scope,
  challenge: { user: Pick<SessionUser, 'id'> } | undefined,
  method: Method | 'mail_code',
  reason: string,
): Promise<void> {
  const event = { action: 'sign_in', outcome: 'failure' as const, targetId: challenge?.user.id }
  return record(database(), { ...event, ip, requestId, details: { with: method, reason } })
}

/** The first proof is correct, and the codes are not. */
function warnOwner({ user, provedBy }: Challenge): Promise<void> {
  return database().transaction((transaction) =>
    queueNotice(transaction, user.email, { kind: 'tries_used_up', name: provedBy }),
  )
}

/**
 * An attacker with the password can start any number of sign-ins, so wrong codes are also limited per
 * account. A device that has signed in to the account before has limits of its own: guesses from
 * elsewhere do not lock the owner out.
 */
export function limitsOf(
  { device }: Scope,
  { id, email }: Pick<SessionUser, 'id' | 'email'>,
): Limit[] {
  const key = `${id} ${knownDevice(device, email) ?? ''}`
  return [
    { name: 'second-factor', rateLimit: { times: 10, seconds: 10 * 60 }, key },
    { name: 'second-factor.day', rateLimit: { times: 50, seconds: 24 * 60 * 60 }, key },
  ]
}
