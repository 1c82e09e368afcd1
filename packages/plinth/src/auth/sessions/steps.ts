import { record } from '#audit/record'
import type { NewSession } from '#auth/sessions/session'
import type { Env } from '#config/env'
import { onCommit } from '#db/after-commit'
import { type Database, database } from '#db/client'
import type { Scope, SessionUser } from '#http/scope'
import { count } from '#metrics/metrics'

/** The first proof of a sign-in has succeeded: `password`, `link` or the id of a provider. */
export type FirstProof = { user: SessionUser; by: string }

/** The step that a user has to complete before a session exists. */
export type PendingSignIn = {
  /** Stands for the first proof. Secret, and single use. */
  challenge: string
  /** The methods that complete it: `totp`, `passkey`, `recovery_code`. */
  methods: readonly string[]
  /** The page that asks for it. It reads the challenge from a cookie. */
  href: string
}

/** A step that a module requires after the first proof. */
export type SignInStep = {
  isRequired: (database: Database, scope: Scope, user: SessionUser) => Promise<boolean>
  /**
   * Runs in the transaction that has checked the first proof, so that the challenge it stores is as
   * good as that proof.
   */
  start: (transaction: Database, scope: Scope, proof: FirstProof) => Promise<PendingSignIn>
}

/** Runs in a transaction of the sign-in, when nothing has to follow any more. */
export type SignInListener = (
  transaction: Database,
  scope: Scope,
  user: SessionUser,
) => Promise<void>

type Installed = { steps: readonly SignInStep[]; listeners: readonly SignInListener[] }

const installed: Installed = { steps: [], listeners: [] }

type ModuleWithSteps = {
  signInSteps?: readonly SignInStep[]
  onSignIn?: SignInListener
}

/** Before the first request: without its steps a password alone would sign in. */
export function installSignInSteps(modules: readonly ModuleWithSteps[]): void {
  installed.steps = modules.flatMap(({ signInSteps = [] }) => signInSteps)
  installed.listeners = modules.flatMap(({ onSignIn }) => onSignIn ?? [])
}

export function hasSignInSteps(): boolean {
  return installed.steps.length > 0 || installed.listeners.length > 0
}

/** Whether the user needs more than a password here. */
export async function needsSecondFactor(scope: Scope, user: SessionUser): Promise<boolean> {
  return (await findStep(database(), scope, user)) !== undefined
}

/** Undefined if the session can be created. */
export async function findPendingStep(
  transaction: Database,
  scope: Scope,
  proof: FirstProof,
): Promise<PendingSignIn | undefined> {
  const step = await findStep(transaction, scope, proof.user)
  if (step) {
    const { user, by } = proof
    onCommit(() => count('plinth_sign_ins_total', { method: by, result: 'second_factor_required' }))
    // Someone who has the password and stops here leaves a trace.
    await record(transaction, {
      action: 'start_sign_in',
      outcome: 'success',
      targetId: user.id,
      ip: scope.ip,
      requestId: scope.requestId,
      details: { by },
    })
    return step.start(transaction, scope, proof)
  }
  await announceSignIn(transaction, scope, proof.user)
  return undefined
}

/** @public For the modules that complete a sign-in themselves. */
export async function announceSignIn(
  transaction: Database,
  scope: Scope,
  user: SessionUser,
): Promise<void> {
  for (const listener of installed.listeners) await listener(transaction, scope, user)
}

async function findStep(reader: Database, scope: Scope, user: SessionUser) {
  for (const step of installed.steps) {
    if (await step.isRequired(reader, scope, user)) return step
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

/** Why the settings require more than the installed modules have. */
export function explainMissingSteps(
  { SECOND_FACTOR }: Pick<Env, 'SECOND_FACTOR'>,
  modules: readonly ModuleWithSteps[],
): { problem: string; remedy: string } | undefined {
  if (SECOND_FACTOR === 'optional' || modules.some(({ signInSteps }) => signInSteps)) return
  return {
    problem: `SECOND_FACTOR is ${SECOND_FACTOR}, but no installed module has second factors.`,
    remedy: 'Add it: npx plinth add security',
  }
}
