import 'server-only'
import type { NewSession } from '@/core/auth/sessions/session'
import { singleton } from '@/core/config/singleton'
import type { Database } from '@/core/db/client'
import type { Scope, SessionUser } from '@/core/http/scope'

/** The first proof of a sign-in has succeeded: `password`, `link` or the id of a provider. */
export type FirstProof = { user: SessionUser; by: string }

/** What a user has to do before a session exists. */
export type PendingSignIn = {
  /** Stands for the first proof. Secret, and single use. */
  challenge: string
  /** What completes it: `totp`, `passkey`, `recovery_code`. */
  methods: readonly string[]
  /** The page that asks for it. It reads the challenge from a cookie. */
  href: string
}

/**
 * Undefined if nothing has to follow. It runs in the transaction that has checked the first proof, so
 * that the challenge it stores is as good as that proof.
 */
export type SignInStep = (
  transaction: Database,
  scope: Scope,
  proof: FirstProof,
) => Promise<PendingSignIn | undefined>

const installed = singleton('auth.sign-in-steps', (): { steps: readonly SignInStep[] } => ({
  steps: [],
}))

export function installSignInSteps(steps: readonly SignInStep[]): void {
  installed.steps = steps
}

export function hasSignInSteps(): boolean {
  return installed.steps.length > 0
}

export async function findPendingStep(
  transaction: Database,
  scope: Scope,
  proof: FirstProof,
): Promise<PendingSignIn | undefined> {
  for (const step of installed.steps) {
    const pending = await step(transaction, scope, proof)
    if (pending) return pending
  }
  return undefined
}

export function isPending(signedIn: NewSession | PendingSignIn): signedIn is PendingSignIn {
  return 'challenge' in signedIn
}

/** How long a user may take for the next step. */
export const challengeSeconds = 5 * 60

export function stepUrl({ href }: PendingSignIn, callbackUrl: string): string {
  return callbackUrl === '/' ? href : `${href}?${new URLSearchParams({ callbackUrl })}`
}
