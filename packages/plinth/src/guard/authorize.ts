import type { z } from 'zod'
import { record } from '#audit/record'
import { hasPassword, verifyCurrentPassword } from '#auth/passwords/user-password'
import { isRecentSignIn, recheckSession } from '#auth/sessions/read'
import { hasSignInSteps, needsSecondFactor } from '#auth/sessions/steps'
import { type Database, database } from '#db/client'
import { sqlState } from '#db/errors'
import { isSignedIn, type Policy, type SignedInScope } from '#guard/policy'
import type { Scope } from '#http/scope'
import { log } from '#log/log'
import { inSpan } from '#log/trace'
import {
  checkRateLimit,
  declareLimits,
  ipRange,
  type RateLimit,
  type RateLimitResult,
  retryIn,
} from '#rate-limits/rate-limit'
import { type ActionError, isActionError, refuse } from '#universal/action-result'

type Options<Allowed extends SignedInScope> = {
  /** Also the name in the audit log. */
  name: string
  authorize: Policy<Allowed>
  /** The id of the changed object, for the audit log. */
  target: string | undefined
  /** The ids of other users that it changes; their rows are locked. */
  lockUsers: readonly string[]
  /** For the audit log. Never a secret or typed text. */
  details: Readonly<Record<string, string | number | boolean>> | undefined
}

/**
 * Runs work for a signed-in user in a transaction that checks the session again and writes the audit
 * event. An error rolls all of it back.
 */
export function auditedTransaction<Allowed extends SignedInScope, Result>(
  scope: SignedInScope,
  options: Options<Allowed>,
  work: (tx: Database, scope: Allowed) => Promise<Result | ActionError>,
): Promise<Result | ActionError> {
  return inSpan({ name: `mutation ${options.name}` }, async (annotate) => {
    const result = await runAudited(scope, options, work)
    annotate({ 'plinth.outcome': isActionError(result) ? result.code : 'success' })
    return result
  })
}

async function runAudited<Allowed extends SignedInScope, Result>(
  scope: SignedInScope,
  { name, authorize, target, lockUsers, details }: Options<Allowed>,
  work: (tx: Database, scope: Allowed) => Promise<Result | ActionError>,
): Promise<Result | ActionError> {
  const { ip, requestId } = scope
  const event = { action: name, actorId: scope.session.user.id, targetId: target, ip, requestId }
  try {
    return await database().transaction(async (tx) => {
      const session = await recheckSession(tx, scope.session, lockUsers)
      const current: Scope = { ...scope, session }
      if (!authorize(current)) throw new RolledBack(session ? 'denied' : 'signed_out')
      const result = await work(tx, current)
      if (isActionError(result)) throw new RolledBack(result)
      await record(tx, { ...event, outcome: 'success', ...(details ? { details } : {}) })
      return result
    })
  } catch (error) {
    if (sqlState(error) === 'PL001') return failed(refuse('conflict', lastAdmin))
    if (!isRolledBack(error)) throw error
    if (typeof error.reason === 'object') return failed(error.reason)
    const signedOut = error.reason === 'signed_out'
    await deny(scope, name, signedOut ? 'unauthenticated' : 'role')
    return refuse(signedOut ? 'unauthenticated' : 'forbidden')
  }

  async function failed(error: ActionError): Promise<ActionError> {
    const reason = { reason: error.code }
    await record(database(), { ...event, outcome: 'failure', details: reason })
    return error
  }
}

const lastAdmin = 'The last admin cannot be demoted or deleted. Make another user an admin first.'

/** Thrown to roll the transaction back. */
class RolledBack extends Error {
  override name = 'RolledBack'
  readonly reason: ActionError | 'denied' | 'signed_out'

  constructor(reason: ActionError | 'denied' | 'signed_out') {
    super('rolled back')
    this.reason = reason
  }
}

function isRolledBack(error: unknown): error is RolledBack {
  return error instanceof RolledBack
}

/** The part of a declaration that every operation has. */
export type Guard<Allowed extends Scope = Scope> = {
  /** Also the name in the audit log. */
  name: string
  authorize: Policy<Allowed>
  /** Per user, or per IP for anonymous callers. */
  rateLimit?: RateLimit
  /**
   * The caller must have signed in, or confirmed their identity, in the last minutes; `true` is ten.
   * A stolen session alone does not pass.
   */
  recentSignIn?: true | number
}

type Denial =
  | { code: 'unauthenticated' | 'forbidden' | 'reauthentication_required' }
  | { code: 'rate_limited'; result: RateLimitResult }

/** Undefined if the caller is allowed. */
export function authorize(scope: Scope, guard: Guard): Promise<Denial | undefined> {
  return inSpan({ name: `guard ${guard.name}` }, async (annotate) => {
    const denial = await findDenial(scope, guard)
    annotate({ 'plinth.decision': denial?.code ?? 'allowed' })
    return denial
  })
}

async function findDenial(scope: Scope, guard: Guard): Promise<Denial | undefined> {
  const { name, authorize, rateLimit } = guard
  const { session } = scope
  if (!authorize(scope)) {
    await deny(scope, name, session ? 'role' : 'unauthenticated')
    return { code: session ? 'forbidden' : 'unauthenticated' }
  }
  if (!rateLimit) return undefined
  const result = await checkRateLimit(name, rateLimit, session?.user.id ?? ipRange(scope.ip))
  return result.allowed ? undefined : { code: 'rate_limited', result }
}

/** Per IP. Further denials go to the log only, so that an attacker cannot fill the disk. */
const auditedDenials: RateLimit = { times: 600, seconds: 600 }

declareLimits('denials')

export async function deny(
  scope: Scope,
  action: string,
  reason:
    | 'role'
    | 'unauthenticated'
    | 'cross_origin'
    | 'reauthentication_required'
    | 'proof_required'
    | 'rate_limited',
): Promise<void> {
  const { session, ip, requestId } = scope
  const { allowed } = await checkRateLimit('denials', auditedDenials, ipRange(ip))
  const event = { action, actorId: session?.user.id, ip, requestId, details: { reason } }
  if (allowed) await record(database(), { ...event, outcome: 'denied' })
  else log().warn(event, 'denied')
}

type RecentSignInGuard = Pick<Guard, 'name' | 'recentSignIn'>

/** Undefined if the operation needs no recent sign-in, or the caller has one. */
export async function requireRecentSignIn(
  scope: Scope,
  { name, recentSignIn }: RecentSignInGuard,
): Promise<Denial | undefined> {
  if (!recentSignIn || !isSignedIn(scope)) return undefined
  if (isRecentSignIn(scope.session, recentSignIn)) return undefined
  await deny(scope, name, 'reauthentication_required')
  return { code: 'reauthentication_required' }
}

type Proof = { passwordVerified: boolean }

/**
 * Requires the same of a server action. A correct `currentPassword`, sent with the form, is as good
 * as a recent sign-in. It counts for this call only: a thief who holds the same token must not gain
 * by it. An action with a field of that name needs it from every user who has a password.
 */
export async function proveRecentSignIn(
  scope: Scope,
  guard: RecentSignInGuard & { input: z.ZodObject },
  sent: unknown,
): Promise<Proof | ActionError> {
  if (guard.recentSignIn && isSignedIn(scope)) {
    const ownField = 'currentPassword' in guard.input.shape
    const wrong = ownField ? wrongPassword : unconfirmed
    const password = sentPassword(sent)
    if (password !== undefined) {
      const checked = await verifyCurrentPassword(scope, guard.name, password)
      if (checked === 'verified' && (await provesUser(scope))) return { passwordVerified: true }
      if (checked === 'verified') return secondFactorFirst(scope, guard)
      if (checked === 'wrong') return wrong('The password is incorrect.')
      if (checked !== 'no_password') return passwordRateLimited(checked.refused)
    } else if (ownField && (await hasPassword(scope.session.user.id))) {
      return wrong('Enter your password.')
    }
  }
  const denial = await requireRecentSignIn(scope, guard)
  return denial ? refuse('reauthentication_required') : { passwordVerified: false }
}

/** A password alone proves as much here as at sign-in: with a second factor, not enough. */
async function provesUser(scope: SignedInScope): Promise<boolean> {
  return !hasSignInSteps() || !(await needsSecondFactor(scope, scope.session.user))
}

/** The password is correct. A recent sign-in had the second factor too. */
async function secondFactorFirst(
  scope: Scope,
  guard: RecentSignInGuard,
): Promise<Proof | ActionError> {
  const denial = await requireRecentSignIn(scope, guard)
  return denial ? unconfirmed(secondFactorMissing) : { passwordVerified: true }
}

const secondFactorMissing =
  'A password alone is not enough for your account. Confirm in another way.'

export function wrongPassword(message: string): ActionError {
  return refuse('invalid', undefined, [{ field: 'currentPassword', message }])
}

/** The form asks for the password again. */
function unconfirmed(message: string): ActionError {
  return refuse('reauthentication_required', undefined, [{ field: 'currentPassword', message }])
}

const maxLength = 1000

export function sentPassword(sent: unknown): string | undefined {
  const value =
    sent instanceof FormData
      ? sent.get('currentPassword')
      : (sent as { currentPassword?: unknown } | undefined)?.currentPassword
  return typeof value === 'string' && value !== '' ? value.slice(0, maxLength) : undefined
}

type Wait = Pick<RateLimitResult, 'seconds'>

/** The same text whether or not the email has an account. */
export function mailRateLimited(result: Wait): ActionError {
  return rateLimited('Too many emails requested.', result)
}

export function passwordRateLimited(result: Wait): ActionError {
  return rateLimited('Too many attempts.', result)
}

export function actionRateLimited(result: Wait): ActionError {
  return rateLimited('Too many attempts.', result)
}

function rateLimited(reason: string, { seconds }: Wait): ActionError {
  return { ...refuse('rate_limited', `${reason} ${retryIn(seconds)}`), retryAfter: seconds }
}
