import type { MethodKind } from '#db/schema'
import {
  type Change,
  emailsOf,
  findTarget,
  includes,
  lifetimes,
  type Method,
  methodsAt,
  type Target,
} from '#recovery/history'

/** While it exists the account is frozen: no sign-in, no change. Pure, as history.ts. */
export type Recovery = {
  openedAt: number
  /** Emails whose links have opened it, the first one first. */
  openedBy: readonly string[]
  /** `allowed`: an admin has decided for the email in `openedBy`. */
  state: 'waiting' | 'admin' | 'allowed'
  /** While it waits: when it can be completed. */
  readyAt: number
}

type Strength = 'strong' | 'weak' | 'none'

export const strongKinds: readonly MethodKind[] = ['app', 'passkey', 'provider']

/**
 * Methods that the user has proved, as far as they existed at the target. A password with a recovery
 * code counts as strong at the target's email only: elsewhere a thief who has both would win.
 */
function strengthOf(
  proofs: readonly Method[],
  atTarget: readonly Method[],
  isTargetEmail: boolean,
): Strength {
  const kinds = proofs.filter((proof) => includes(atTarget, proof)).map(({ kind }) => kind)
  if (kinds.some((kind) => strongKinds.includes(kind))) return 'strong'
  if (isTargetEmail && kinds.includes('password') && kinds.includes('codes')) return 'strong'
  return kinds.length > 0 ? 'weak' : 'none'
}

export type Account = {
  changes: readonly Change[]
  methods: readonly Method[]
  recovery: Recovery | undefined
}

type Attempt = {
  /** The link was sent there. */
  email: string
  proofs: readonly Method[]
  /** The user no longer reads the target's email, so it must not become the account's again. */
  hasLeftEmail: boolean
  now: number
}

export type Opening =
  | { result: 'complete'; target: Target; strength: Strength }
  | { result: 'frozen'; target: Target; recovery: Recovery }
  | { result: 'invalid' }

/**
 * Opens a recovery with the link of a change, or goes on with an open one: with a further proof, after
 * the wait, or from a further email that does not agree. All emails of the window get a link to do so.
 */
export function openRecovery(account: Account, attempt: Attempt): Opening {
  const { recovery, methods } = account
  const { email, proofs, hasLeftEmail, now } = attempt
  const target = targetOf(account, now)
  if (!target || !emailsOf(target).includes(email)) return { result: 'invalid' }
  const isTargetEmail = email === target.email
  const restoresEmail = isTargetEmail && !hasLeftEmail
  const strength = isAllowed(recovery, email)
    ? 'strong'
    : strengthOf(proofs, methodsAt(target, methods), isTargetEmail)
  const isProved = strength === 'strong' || (restoresEmail && strength === 'weak')
  const isDue = recovery !== undefined && isReady(recovery, attempt, restoresEmail)
  if (isProved || isDue) return { result: 'complete', target, strength }
  const next = recovery ? joined(recovery, email, restoresEmail) : begun(attempt, restoresEmail)
  return { result: 'frozen', target, recovery: next }
}

/** As of its opening: links that worked then work until it ends. */
export function targetOf(
  { changes, recovery }: Pick<Account, 'changes' | 'recovery'>,
  now: number,
): Target | undefined {
  return findTarget(changes, recovery?.openedAt ?? now)
}

/** An admin knows the owner: as good as a proof that only they have. */
function isAllowed(recovery: Recovery | undefined, email: string): boolean {
  return recovery?.state === 'allowed' && recovery.openedBy.includes(email)
}

function begun({ email, now }: Attempt, restoresEmail: boolean): Recovery {
  return {
    openedAt: now,
    openedBy: [email],
    state: restoresEmail ? 'waiting' : 'admin',
    readyAt: now + lifetimes.wait,
  }
}

function isReady(recovery: Recovery, { email, now }: Attempt, restoresEmail: boolean): boolean {
  const { state, openedBy, readyAt } = recovery
  return state === 'waiting' && openedBy.includes(email) && restoresEmail && now >= readyAt
}

/**
 * The same email changes nothing. Two that both want the account need an admin, whose decision stays:
 * the reader of the other email could otherwise keep the account frozen for ever.
 */
function joined(recovery: Recovery, email: string, restoresEmail: boolean): Recovery {
  if (recovery.state === 'allowed') return recovery
  const openedBy = [...new Set([...recovery.openedBy, email])]
  const agrees = openedBy.length === 1 && restoresEmail
  return { ...recovery, openedBy, state: agrees ? recovery.state : 'admin' }
}

export type Completion = {
  email: string
  removed: Method[]
  restored: Method[]
  /** The account had a password at the target. The old one never comes back. */
  needsPassword: boolean
  /** Earlier codes no longer work. A user who proved with one may have lost the phone. */
  needsCodes: boolean
}

type Choices = {
  strength: Strength
  proofs: readonly Method[]
  /** One of the window in place of the target's. Only with strong proof. */
  email: string | undefined
  /** Additions that the owner recognizes. Only with strong proof. */
  kept: readonly Method[]
}

export function planCompletion(
  target: Target,
  current: readonly Method[],
  { strength, proofs, email, kept }: Choices,
): Completion {
  const isStrong = strength === 'strong'
  const before = methodsAt(target, current)
  const needsPassword = before.some(({ kind }) => kind === 'password')
  const mayKeep = (method: Method) =>
    isLasting(method) || (method.kind === 'password' && !needsPassword)
  const stays = (method: Method) =>
    (isLasting(method) && includes(before, method)) ||
    (isStrong && mayKeep(method) && includes(kept, method))
  const isOfWindow = email !== undefined && emailsOf(target).includes(email)
  return {
    email: isStrong && isOfWindow ? email : target.email,
    removed: current.filter((method) => !stays(method)),
    restored: before.filter((method) => isLasting(method) && !includes(current, method)),
    needsPassword,
    needsCodes: proofs.some((proof) => proof.kind === 'codes' && includes(before, proof)),
  }
}

/** A thief may know passwords and recovery codes. */
function isLasting({ kind }: Method): boolean {
  return kind !== 'password' && kind !== 'codes'
}

/**
 * Whether the proofs have what a sign-in asks for after the first proof. Recovery codes count although
 * they end with the recovery: a user who proves with one may have lost the phone.
 */
export function hasProvedFactor(atTarget: readonly Method[], proofs: readonly Method[]): boolean {
  return proofs.some((proof) => factorKinds.includes(proof.kind) && includes(atTarget, proof))
}

const factorKinds: readonly MethodKind[] = ['app', 'passkey', 'codes']
