import { and, eq, sql } from 'drizzle-orm'
import { record } from '#audit/record'
import { type Change, giveProof } from '#auth/accounts/change-proofs'
import { findEmailOwner, unlessEmailTaken } from '#auth/accounts/email-owner'
import { emailField } from '#auth/accounts/fields'
import { frozenDenial } from '#auth/passwords/sign-in'
import { isRecentSignIn, recheckSession } from '#auth/sessions/read'
import { type Authentication, type NewSession, replaceSession } from '#auth/sessions/session'
import { findPendingStep, type PendingSignIn } from '#auth/sessions/steps'
import { env } from '#config/env'
import { type Database, database } from '#db/client'
import { isAccountFrozen } from '#db/errors'
import { accounts, users } from '#db/schema'
import type { Scope, SessionUser } from '#http/scope'
import { changeSignIn } from '#recovery/changes'

export type OAuthFlow = {
  /** The session that started the flow to link an account. */
  linkTo: string | undefined
  /** The change that the sign-in proves for that session. It then links and signs in nothing. */
  change?: Change | undefined
}

export type ProviderSignInError =
  | 'unauthenticated'
  | 'reauthentication_required'
  | 'email_not_verified'
  | 'email_in_use'
  | 'sign_up_closed'
  | 'account_linked_elsewhere'
  | 'provider_linked_already'
  | 'account_not_linked'
  | 'account_frozen'

/** `linked` if it added a sign-in method to the account. */
export type ProviderSignIn = NewSession & { linked: boolean }

type Action = 'sign_in' | 'sign_up' | 'link_account' | 'prove_with_provider'

type Outcome =
  | { done: Action[]; user: SessionUser; authentication: Authentication }
  | { done?: never; error: ProviderSignInError; action: Action; targetId?: string | undefined }

/** Signs in, signs up, links or proves a change, with the session and the audit events, in one transaction. */
export async function signInWithProvider(
  scope: Scope,
  profile: ProviderProfile,
  flow: OAuthFlow,
): Promise<ProviderSignIn | PendingSignIn | ProviderSignInError> {
  try {
    return await signInOrLink(scope, profile, flow)
  } catch (error) {
    if (!isAccountFrozen(error)) throw error
    const owner = await findOwner(database(), profile)
    const { ip, requestId } = scope
    const event = { action: 'sign_in', targetId: owner?.id, ip, requestId }
    await record(database(), { ...event, ...frozenDenial(profile.provider) })
    return 'account_frozen'
  }
}

function signInOrLink(
  scope: Scope,
  profile: ProviderProfile,
  { linkTo, change }: OAuthFlow,
): Promise<ProviderSignIn | PendingSignIn | ProviderSignInError> {
  return database().transaction(async (transaction) => {
    await lockAccount(transaction, profile)
    const outcome = linkTo
      ? await link(transaction, { scope, profile, linkTo, change })
      : await signInOrUp(transaction, profile)
    const { ip, requestId } = scope
    if (!outcome.done) {
      const { error, action, targetId } = outcome
      const details = { by: profile.provider, reason: error }
      const actorId = scope.session?.user.id
      const event = { action, outcome: 'denied' as const, actorId, targetId, ip, requestId }
      await record(transaction, { ...event, details })
      return error
    }
    const { user, authentication } = outcome
    const isSignIn = outcome.done.includes('sign_in')
    const proof = { user, by: profile.provider }
    const pending = isSignIn ? await findPendingStep(transaction, scope, proof) : undefined
    for (const action of outcome.done) {
      if (pending && action === 'sign_in') continue
      const details = { by: profile.provider, ...(change ? { change } : {}) }
      const about = { actorId: user.id, targetId: user.id, details }
      await record(transaction, { action, outcome: 'success', ip, requestId, ...about })
    }
    if (pending) return pending
    const { session } = scope
    const created =
      change && session && outcome.done.includes('prove_with_provider')
        ? await giveProof(transaction, { ...scope, session }, change, proofBy(profile))
        : await replaceSession(transaction, scope, user, authentication)
    return { ...created, linked: outcome.done.includes('link_account') }
  })
}

function proofBy({ provider }: ProviderProfile) {
  return { kind: 'provider' as const, methodId: provider }
}

/** For a flow that failed before the provider sent a profile. */
export async function recordFailedOAuth(
  { session, ip, requestId }: Scope,
  { by, reason, linkTo, change }: OAuthFlow & { by: string; reason: string },
): Promise<void> {
  await record(database(), {
    action: linkTo ? linkingAction(change) : 'sign_in',
    outcome: 'failure',
    actorId: session?.user.id,
    ip,
    requestId,
    details: { by, reason },
  })
}

async function signInOrUp(transaction: Database, profile: ProviderProfile): Promise<Outcome> {
  const authentication = { by: profile.provider }
  const owner = await findOwner(transaction, profile)
  if (owner) return { done: ['sign_in'], user: owner, authentication }
  const refuse = (error: ProviderSignInError) => ({ error, action: 'sign_up' as const })
  if (profile.email === undefined) return refuse('email_not_verified')
  // Never linked by email alone: control of the email at a provider must not open an account here.
  const created = await createOwner(transaction, profile, env().SIGN_UP === 'open')
  if (created) return { done: ['sign_up', 'sign_in'], user: created, authentication }
  const { userId, isReserved } = await findEmailOwner(transaction, profile.email)
  if (userId) return { ...refuse('email_in_use'), action: 'sign_in', targetId: userId }
  return refuse(isReserved ? 'email_in_use' : 'sign_up_closed')
}

function linkingAction(change: Change | undefined) {
  return change ? 'prove_with_provider' : 'link_account'
}

type LinkRequest = {
  scope: Scope
  profile: ProviderProfile
  linkTo: string
  change: Change | undefined
}

/**
 * Only for the session that started the flow, and only while it is live. An account that is linked
 * already proves the owner, like a sign-in. A new one proves nothing: a thief with the session would
 * link their own, so a recent sign-in is required and stays the session's proof.
 */
async function link(
  transaction: Database,
  { scope: { session }, profile, linkTo, change }: LinkRequest,
): Promise<Outcome> {
  const action = linkingAction(change)
  const refuse = (error: ProviderSignInError) => ({ error, action }) as const
  const current = session?.id === linkTo ? await recheckSession(transaction, session) : undefined
  if (!current) return refuse('unauthenticated')
  const owner = await findOwner(transaction, profile)
  if (owner) {
    if (owner.id !== current.user.id) return refuse('account_linked_elsewhere')
    const done: Action[] = [change ? 'prove_with_provider' : 'sign_in']
    return { done, user: owner, authentication: { by: profile.provider } }
  }
  if (change) return refuse('account_not_linked')
  if (!isRecentSignIn(current)) return refuse('reauthentication_required')
  const { user, authenticatedBy: by, authenticatedAt: at } = current
  const linked = await changeSignIn(transaction, { userId: user.id }, () =>
    linkAccount(transaction, user.id, profile),
  )
  if (!linked) return refuse('provider_linked_already')
  return { done: ['link_account'], user, authentication: { by, at } }
}

const userColumns = {
  id: users.id,
  email: users.email,
  name: users.name,
  role: users.role,
  theme: users.theme,
}

/** Serializes concurrent callbacks for one provider account, across all instances. */
async function lockAccount(
  transaction: Database,
  { provider, accountId }: ProviderProfile,
): Promise<void> {
  const key = `plinth.account ${provider} ${accountId}`
  await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
}

/** Locked, so that the user is not deleted before the session is stored. */
async function findOwner(
  transaction: Database,
  { provider, accountId }: ProviderProfile,
): Promise<SessionUser | undefined> {
  const [owner] = await transaction
    .select(userColumns)
    .from(accounts)
    .innerJoin(users, eq(users.id, accounts.userId))
    .where(and(eq(accounts.provider, provider), eq(accounts.providerAccountId, accountId)))
    .for('key share', { of: users })
  return owner
}

/** A new user with this account. Undefined if the email is taken, or sign-up is closed. */
async function createOwner(
  transaction: Database,
  profile: ProviderProfile,
  signUpOpen: boolean,
): Promise<SessionUser | undefined> {
  if (!signUpOpen) return undefined
  const email = profile.email ?? ''
  const name = displayName(profile.name, email)
  const [created] =
    (await unlessEmailTaken(transaction, (savepoint) =>
      savepoint
        .insert(users)
        .values({ email, name, emailVerifiedAt: sql`now()` })
        .returning(userColumns),
    )) ?? []
  if (created) await linkAccount(transaction, created.id, profile)
  return created
}

/** False if the user is linked to another account of this provider. */
async function linkAccount(
  transaction: Database,
  userId: string,
  { provider, accountId }: ProviderProfile,
): Promise<boolean> {
  const added = await transaction
    .insert(accounts)
    .values({ provider, providerAccountId: accountId, userId })
    .onConflictDoNothing({ target: [accounts.userId, accounts.provider] })
    .returning({ userId: accounts.userId })
  return added.length > 0
}

/** The account at a provider, as the provider has just reported it. */
export type ProviderProfile = {
  provider: string
  accountId: string
  /** Only if the provider has verified it and our rules allow it. */
  email: string | undefined
  name: string | undefined
}

/**
 * The rules for a typed email apply. But a user sees the result of typing, and a provider has verified
 * exactly this mailbox: `ａda@example.org` is another one than `ada@example.org`, so an email that
 * would be changed in more than its case is refused.
 */
export function acceptedEmail(text: string | null): string | undefined {
  if (text === null || text !== text.trim().normalize('NFKC')) return undefined
  return emailField.safeParse(text).data
}

/** The provider's name for the user, changed to follow our rules, or the local part of the email. */
function displayName(text: string | undefined, email: string): string {
  return singleLine(text ?? '') || singleLine(email.replace(/@.*/, '')) || 'User'
}

function singleLine(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\s]+/gu, ' ').trim()
  const cut = line
    .slice(0, 100)
    .replace(/[\ud800-\udbff]$/, '')
    .trim()
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(cut) ? cut : ''
}
