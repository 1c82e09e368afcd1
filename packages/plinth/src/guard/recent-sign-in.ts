import type { z } from 'zod'
import { verifyCurrentPassword } from '#auth/passwords/current-password'
import { hasPassword } from '#auth/passwords/user-password'
import { isRecentSignIn } from '#auth/sessions/read'
import { hasSignInSteps, needsSecondFactor } from '#auth/sessions/steps'
import { type Denial, deny, type Guard } from '#guard/authorize'
import { isSignedIn, type SignedInScope } from '#guard/policy'
import { passwordRateLimited } from '#guard/rate-limited'
import type { Scope } from '#http/scope'
import { type ActionError, refuse } from '#universal/action-result'

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
