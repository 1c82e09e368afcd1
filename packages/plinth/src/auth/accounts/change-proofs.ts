import { and, eq, gt } from 'drizzle-orm'
import type { MailCodeFor } from '#auth/accounts/mail-codes'
import { type NewSession, replaceSession } from '#auth/sessions/session'
import type { Database } from '#db/client'
import { fromNow } from '#db/clock'
import { changeProofs, type proofKinds } from '#db/schema'
import type { Scope, Session } from '#http/scope'

/** The changes that need a proof of their own. A recent sign-in is not enough: it may be stolen. */
export const changes = ['add_factor', 'remove_factor', 'delete_account'] as const

export type Change = (typeof changes)[number]

/** After "to" or "is about to". */
export const changeTexts: Record<Change, string> = {
  add_factor: 'add a second factor or create recovery codes',
  remove_factor: 'remove a second factor',
  delete_account: 'delete your account',
}

/** The code in a mail confirms this change in this session. */
export function codeForChange({ id, user }: Session, change: Change): MailCodeFor {
  return { key: `change ${id} ${change}`, email: user.email }
}

export type ProofKind = (typeof proofKinds)[number]

/** `methodId` is that of the provider, the authenticator app or the passkey, or `ofRecovery`. */
export type Proof = { kind: ProofKind; methodId?: string | null }

/** The `methodId` of a recovery code that has proved a recovery. It needs no first proof besides. */
const ofRecovery = 'recovery'

export type Factor = { kind: 'app' | 'passkey'; methodId: string }

/** The sign-in methods of an account that can prove a change. */
export type Means = {
  password: boolean
  /** The providers that are linked and configured. */
  providers: readonly string[]
  factors: readonly Factor[]
}

/**
 * An account with a factor needs a factor, or a recovery code with the first proof: the phone may be
 * lost. Any other needs the first proof. A factor, a provider or a password that was removed since
 * proves nothing any more.
 */
export function isProven(means: Means, given: readonly Proof[]): boolean {
  if (means.factors.length === 0) return hasFirstProof(means, given)
  if (given.some((proof) => isOwnFactor(means, proof))) return true
  const codes = given.filter(({ kind }) => kind === 'recovery_code')
  return codes.some(({ methodId }) => methodId === ofRecovery || hasFirstProof(means, given))
}

function isOwnFactor({ factors }: Means, { kind, methodId }: Proof): boolean {
  return factors.some((factor) => factor.kind === kind && factor.methodId === methodId)
}

/** True when the proofs would sign in without a factor. */
export function hasFirstProof(means: Means, given: readonly Proof[]): boolean {
  return firstProof(means).every((kind) => hasProof(means, given, kind))
}

/**
 * A provider alone is not enough: a thief may have linked an account of their own. The mailbox is
 * what a sign-in link proves.
 */
export function firstProof({ password, providers }: Means): ProofKind[] {
  if (password) return ['password']
  return providers.length > 0 ? ['provider', 'mail_code'] : ['mail_code']
}

export function hasProof({ providers }: Means, given: readonly Proof[], wanted: ProofKind) {
  return given.some(
    ({ kind, methodId }) =>
      kind === wanted && (kind !== 'provider' || providers.includes(methodId ?? '')),
  )
}

const lifetimeMs = 10 * 60_000

function isLive({ id }: Session) {
  return and(eq(changeProofs.sessionId, id), gt(changeProofs.createdAt, fromNow(-lifetimeMs)))
}

export function findProofs(reader: Database, session: Session, change: Change): Promise<Proof[]> {
  return reader
    .select({ kind: changeProofs.kind, methodId: changeProofs.methodId })
    .from(changeProofs)
    .where(and(isLive(session), eq(changeProofs.change, change)))
}

/** One of several concurrent calls gets the proofs. */
export function consumeProofs(
  transaction: Database,
  session: Session,
  change: Change,
): Promise<Proof[]> {
  return transaction
    .delete(changeProofs)
    .where(and(isLive(session), eq(changeProofs.change, change)))
    .returning({ kind: changeProofs.kind, methodId: changeProofs.methodId })
}

/**
 * After a recovery that a recovery code has proved: the earlier codes have ended, and the phone may be
 * lost. The new session can create new ones, or add a factor instead.
 */
export async function allowNewCodes(transaction: Database, { id }: Session): Promise<void> {
  const proof = { kind: 'recovery_code' as const, methodId: ofRecovery }
  await transaction.insert(changeProofs).values({ sessionId: id, change: 'add_factor', ...proof })
}

/**
 * Stores the proof for a new session, which replaces that of the caller: a thief who holds the old
 * token must not gain by it. What the caller has proved before stays. It is no sign-in: it counts for
 * this change only.
 */
export async function giveProof(
  transaction: Database,
  scope: Scope & { session: Session },
  change: Change,
  proof: Proof,
): Promise<NewSession> {
  const { session } = scope
  const earlier = await transaction.select().from(changeProofs).where(isLive(session))
  const { user, authenticatedBy: by, authenticatedAt: at } = session
  const created = await replaceSession(transaction, scope, user, { by, at })
  const others = earlier.filter((row) => row.change !== change || row.kind !== proof.kind)
  const sessionId = created.session.id
  const rows = others.map((row) => ({ ...row, sessionId }))
  await transaction.insert(changeProofs).values([...rows, { sessionId, change, ...proof }])
  return created
}

/** The second factors of a module. */
export type InstalledFactors = {
  /** The factors that the user has now. */
  find: (reader: Database, userId: string) => Promise<readonly Factor[]>
  /**
   * The page where a user proves a change with a factor or a recovery code. It is opened with
   * `change` and `callbackUrl`, and with `method=recovery_code` once the first proof is given.
   */
  page: string
  /** The page that proves a recovery with a factor or a recovery code. Opened with `token`. */
  recoveryPage?: string
  /** The page where a user creates recovery codes. */
  codesPage?: string
}

const installed: { factors: readonly InstalledFactors[] } = {
  factors: [],
}

/** Before the first request: without them a password would prove every change. */
export function installFactors(modules: readonly { factors?: InstalledFactors }[]): void {
  installed.factors = modules.flatMap(({ factors }) => factors ?? [])
}

export async function findFactors(reader: Database, userId: string): Promise<Factor[]> {
  const found: Factor[] = []
  for (const { find } of installed.factors) found.push(...(await find(reader, userId)))
  return found
}

export function factorPage(): string | undefined {
  return installed.factors[0]?.page
}

export function recoveryFactorPage(): string | undefined {
  return installed.factors[0]?.recoveryPage
}

export function recoveryCodesPage(): string | undefined {
  return installed.factors[0]?.codesPage
}
