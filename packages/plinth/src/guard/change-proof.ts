import type { z } from 'zod'
import {
  type Change,
  consumeProofs,
  factorPage,
  findFactors,
  findProofs,
  giveProof,
  hasFirstProof,
  isProven,
  type Means,
  type Proof,
} from '#auth/accounts/change-proofs'
import { listLinkedAccounts } from '#auth/accounts/linked-accounts'
import { configuredProviderIds } from '#auth/oauth/configured-providers'
import { verifyCurrentPassword } from '#auth/passwords/current-password'
import { hasPassword } from '#auth/passwords/user-password'
import { redirect } from '#auth/sessions/next'
import { setActionSessionCookie } from '#auth/sessions/next-session'
import { readSessionById } from '#auth/sessions/read'
import type { NewSession } from '#auth/sessions/session'
import { env } from '#config/env'
import { type Database, database } from '#db/client'
import { deny } from '#guard/authorize'
import type { SignedInScope } from '#guard/policy'
import { passwordRateLimited } from '#guard/rate-limited'
import { sentPassword, wrongPassword } from '#guard/recent-sign-in'
import { callbackUrlOrHome } from '#http/headers'
import { type ActionError, isActionError, refuse } from '#universal/action-result'
import { urlWith } from '#universal/url'

export type Confirmation = {
  means: Means
  given: readonly Proof[]
  isProven: boolean
  /** A recovery code is accepted after it. */
  hasFirstProof: boolean
}

/** The caller's proofs for a change, and the means of the account. For pages and transactions. */
export async function findConfirmation(
  { session }: SignedInScope,
  change: Change,
  reader = database(),
): Promise<Confirmation> {
  const means = await findMeans(reader, session.user.id)
  return judge(means, await findProofs(reader, session, change))
}

function judge(means: Means, given: readonly Proof[]): Confirmation {
  return {
    means,
    given,
    isProven: isProven(means, given),
    hasFirstProof: hasFirstProof(means, given),
  }
}

async function findMeans(reader: Database, userId: string): Promise<Means> {
  const password = await hasPassword(userId, reader)
  const linked = await listLinkedAccounts(userId, reader)
  const configured = configuredProviderIds()
  return {
    password,
    providers: linked.map(({ provider }) => provider).filter((id) => configured.includes(id)),
    factors: await findFactors(reader, userId),
  }
}

type ProofGuard = { name: string; proof: Change; input: z.ZodObject }

/**
 * Before the transaction of a mutation. A correct `currentPassword`, sent with the form, is a proof
 * for this call. An action with a field of that name needs it from every user who has a password.
 */
export async function proveChange(
  scope: SignedInScope,
  { name, proof: change, input }: ProofGuard,
  sent: unknown,
): Promise<{ passwordVerified: boolean } | ActionError> {
  const passwordVerified = await checkSentPassword(scope, name, input, sent)
  if (isActionError(passwordVerified)) return passwordVerified
  const { means, given } = await findConfirmation(scope, change)
  if (isProven(means, withPassword(given, passwordVerified))) return { passwordVerified }
  // A session that has just ended has no proofs any more.
  const isLive = await readSessionById(database(), scope.session.id)
  await deny(scope, name, isLive ? 'proof_required' : 'unauthenticated')
  return isLive ? proofRequired(change) : refuse('unauthenticated')
}

async function checkSentPassword(
  scope: SignedInScope,
  name: string,
  input: z.ZodObject,
  sent: unknown,
): Promise<boolean | ActionError> {
  const password = sentPassword(sent)
  if (password === undefined) {
    const isMissing = 'currentPassword' in input.shape && (await hasPassword(scope.session.user.id))
    return isMissing ? wrongPassword('Enter your password.') : false
  }
  const checked = await verifyCurrentPassword(scope, name, password)
  if (checked === 'verified') return true
  if (checked === 'no_password') return false
  return checked === 'wrong'
    ? wrongPassword('The password is incorrect.')
    : passwordRateLimited(checked.refused)
}

function withPassword(given: readonly Proof[], passwordVerified: boolean): readonly Proof[] {
  return passwordVerified ? [...given, { kind: 'password' }] : given
}

function proofRequired(change: Change): ActionError {
  return { ...refuse('proof_required'), change }
}

type Use = { change: Change; passwordVerified: boolean; keepsProof: boolean }

/**
 * In the transaction of the change, with the user's row locked: what proved it, or the refusal. It is
 * judged again, because a factor may have been added meanwhile. If the change fails, the transaction
 * gives the proof back.
 */
export async function takeProof(
  transaction: Database,
  { session }: SignedInScope,
  { change, passwordVerified, keepsProof }: Use,
): Promise<readonly Proof[] | ActionError> {
  const take = keepsProof ? findProofs : consumeProofs
  const given = withPassword(await take(transaction, session, change), passwordVerified)
  const means = await findMeans(transaction, session.user.id)
  return isProven(means, given) ? given : proofRequired(change)
}

type Requested = { change: Change; callbackUrl?: string | undefined }

type GivenProof = Requested & {
  created: NewSession
  isProven: boolean
  confirmation: Confirmation
}

/** For the mutations that take a proof. `finishProof` follows after the commit. */
export async function storeProof(
  transaction: Database,
  scope: SignedInScope,
  { change, callbackUrl }: Requested,
  proof: Proof,
): Promise<GivenProof> {
  const created = await giveProof(transaction, scope, change, proof)
  const renewed = { ...scope, session: created.session }
  const confirmation = await findConfirmation(renewed, change, transaction)
  return { created, change, callbackUrl, isProven: confirmation.isProven, confirmation }
}

/**
 * Where a browser goes on: back to the change, or to the recovery code after the first proof.
 * Undefined while `/confirm` has something to ask for.
 */
export function urlAfterProof(
  { means, isProven, hasFirstProof }: Confirmation,
  change: Change,
  callbackUrl: string,
): string | undefined {
  if (isProven) return callbackUrl
  const page = means.factors.length > 0 && hasFirstProof ? factorPage() : undefined
  return page && urlWith(page, { change, method: 'recovery_code', callbackUrl })
}

/** A browser goes on to the next proof or back to the change; a bearer client gets its new token. */
export async function finishProof({ result, scope }: { result: GivenProof; scope: SignedInScope }) {
  const { created, change, isProven, confirmation } = result
  if (scope.bearer) return { token: created.token, isProven }
  await setActionSessionCookie(created)
  const callbackUrl = callbackUrlOrHome(result.callbackUrl, env().AUTH_URL)
  const next = urlAfterProof(confirmation, change, callbackUrl)
  return redirect(next ?? urlWith('/confirm', { change, callbackUrl }))
}
