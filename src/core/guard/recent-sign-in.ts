import 'server-only'
import type { z } from 'zod'
import { hasPassword, verifyCurrentPassword } from '@/core/auth/passwords/user-password'
import { isRecentSignIn } from '@/core/auth/sessions/read'
import { type Denial, deny, type Guard } from '@/core/guard/authorize'
import { isSignedIn } from '@/core/guard/policy'
import type { Scope } from '@/core/http/scope'
import { type RateLimitResult, retryIn } from '@/core/rate-limits/rate-limit'
import { type ActionError, refuse } from '@/core/ui/action-result'

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
      if (checked === 'verified') return { passwordVerified: true }
      if (checked === 'wrong') return wrong('The password is incorrect.')
      if (checked !== 'no_password') return passwordRateLimited(checked.refused)
    } else if (ownField && (await hasPassword(scope.session.user.id))) {
      return wrong('Enter your password.')
    }
  }
  const denial = await requireRecentSignIn(scope, guard)
  return denial ? refuse('reauthentication_required') : { passwordVerified: false }
}

export function wrongPassword(message: string): ActionError {
  return refuse('invalid', undefined, [{ field: 'currentPassword', message }])
}

/** The form asks for the password again. */
function unconfirmed(message: string): ActionError {
  return refuse('reauthentication_required', undefined, [{ field: 'currentPassword', message }])
}

const maxLength = 1000

function sentPassword(sent: unknown): string | undefined {
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
